import type { ListedCommand } from './shared/command.ts';

/** All commands, in the order of help. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'new',
    summary: 'Make a spec from a goal',
    load: async () => (await import('./commands/new.ts')).newSpec,
  },
  {
    name: 'start',
    summary: 'Make a spec, or go on with what comes next',
    load: async () => (await import('./commands/start.ts')).start,
  },
  {
    name: 'research',
    summary: 'Research the goal of a spec',
    load: async () => (await import('./commands/research.ts')).research,
  },
  {
    name: 'requirements',
    summary: 'Write the requirements of a spec',
    load: async () => (await import('./commands/requirements.ts')).requirements,
  },
  {
    name: 'design',
    summary: 'Write the design of a spec',
    load: async () => (await import('./commands/design.ts')).design,
  },
  {
    name: 'approve',
    summary: 'Approve documents of a spec',
    load: async () => (await import('./commands/approve.ts')).approve,
  },
  {
    name: 'reject',
    summary: 'Have the newest document of a spec changed',
    load: async () => (await import('./commands/reject.ts')).reject,
  },
  {
    name: 'implement',
    summary: 'Run the tasks of a spec',
    load: async () => (await import('./commands/implement.ts')).implement,
  },
  {
    name: 'pr',
    summary: 'Bring a finished spec to a green pull request',
    load: async () => (await import('./commands/pr.ts')).pr,
  },
  {
    name: 'tasks',
    summary: 'List the tasks of a spec, or write them',
    load: async () => (await import('./commands/tasks.ts')).tasks,
  },
  {
    name: 'import',
    summary: 'Make a spec of the task list of another tool',
    load: async () => (await import('./commands/import.ts')).importSpec,
  },
  {
    name: 'validate',
    summary: 'Check a spec and its plan',
    load: async () => (await import('./commands/validate.ts')).validate,
  },
  {
    name: 'coverage',
    summary: 'Follow requirements to the tasks, commands and commits that proved them',
    load: async () => (await import('./commands/coverage.ts')).coverage,
  },
  {
    name: 'questions',
    summary: 'Show the questions that planning waits for',
    load: async () => (await import('./commands/questions.ts')).questions,
  },
  {
    name: 'status',
    summary: 'Show the status of a spec',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'logs',
    summary: 'Print the log of a task',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'answer',
    summary: 'Answer the question of a task',
    load: async () => (await import('./commands/answer.ts')).answer,
  },
  {
    name: 'prompt',
    summary: 'Print the prompt of a task',
    load: async () => (await import('./commands/prompt.ts')).prompt,
  },
  {
    name: 'cancel',
    summary: 'Stop the run of a spec',
    load: async () => (await import('./commands/cancel.ts')).cancel,
  },
  {
    name: 'next',
    summary: "Tell an agent's session what to do next",
    load: async () => (await import('./commands/next.ts')).next,
  },
  {
    name: 'submit',
    summary: "Check the work of a session's helper",
    load: async () => (await import('./commands/submit.ts')).submit,
  },
  {
    name: 'list',
    summary: 'List the specs',
    load: async () => (await import('./commands/list.ts')).list,
  },
  {
    name: 'index',
    summary: 'Write the index of all specs',
    load: async () => (await import('./commands/index-specs.ts')).indexSpecs,
  },
  {
    name: 'switch',
    summary: 'Set the active spec',
    load: async () => (await import('./commands/switch.ts')).switchTo,
  },
  {
    name: 'trust',
    summary: 'Trust the commands that a run executes',
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'agents',
    summary: 'List the agents that can be used',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  {
    name: 'doctor',
    summary: 'Check this machine and repository for problems',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'coordinator-prompt',
    summary: 'Let the Ralph Loop plugin drive a session',
    load: async () => (await import('./commands/coordinator-prompt.ts')).coordinatorPrompt,
  },
  {
    name: 'hook',
    summary: "Answer a hook of an agent's session",
    load: async () => (await import('./commands/hook.ts')).hook,
  },
  {
    name: 'plugin',
    summary: 'Install the plugin for Claude Code or Codex',
    load: async () => (await import('./commands/plugin.ts')).plugin,
  },
  {
    name: 'mcp',
    summary: 'Serve the tools of an attempt to its agent',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'init',
    summary: 'Set up a repository',
    load: async () => (await import('./commands/init.ts')).init,
  },
];
