import type { ListedCommand } from './command.ts';

/** All commands, in the order of help. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'implement',
    summary: 'Run the tasks of a spec to done',
    load: async () => (await import('./commands/implement.ts')).implement,
  },
  {
    name: 'tasks',
    summary: 'List the tasks of a spec',
    load: async () => (await import('./commands/tasks.ts')).tasks,
  },
  {
    name: 'validate',
    summary: 'Check the plan of a spec',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'status',
    summary: 'Tell where a spec stands',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'logs',
    summary: 'Print the log of an attempt at a task',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'cancel',
    summary: 'Stop the run of a spec',
    load: async () => (await import('./commands/cancel.ts')).cancel,
  },
  {
    name: 'list',
    summary: 'List the specs',
    load: async () => (await import('./commands/list.ts')).list,
  },
  {
    name: 'switch',
    summary: 'Make a spec the active one',
    load: async () => (await import('./commands/switch.ts')).switchTo,
  },
  {
    name: 'trust',
    summary: 'Trust what a run would execute',
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'doctor',
    summary: 'Look for what keeps runs from working',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'init',
    summary: 'Make a repository ready',
    load: async () => (await import('./commands/init.ts')).init,
  },
];
