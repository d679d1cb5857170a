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
];
