import type { Command, ListedCommand } from './shared/command.ts';

const phase = (artifact: 'research' | 'requirements' | 'design') => async (): Promise<Command> =>
  (await import('./planning/phase-command.ts')).phaseCommand(artifact);

const table: readonly (readonly [name: string, summary: string, load: () => Promise<Command>])[] = [
  ['new', 'Make a spec from a goal', async () => (await import('./commands/new.ts')).newSpec],
  ['start', 'Make a spec, or go on with what comes next', async () => (await import('./commands/start.ts')).start],
  ['research', 'Research the goal of a spec', phase('research')],
  ['requirements', 'Write the requirements of a spec', phase('requirements')],
  ['design', 'Write the design of a spec', phase('design')],
  ['approve', 'Approve documents of a spec', async () => (await import('./commands/approve.ts')).approve],
  ['reject', 'Have the newest document of a spec changed', async () => (await import('./commands/reject.ts')).reject],
  ['implement', 'Run the tasks of a spec', async () => (await import('./commands/implement.ts')).implement],
  ['pr', 'Bring a finished spec to a green pull request', async () => (await import('./commands/pr.ts')).pr],
  ['tasks', 'List the tasks of a spec, or write them', async () => (await import('./commands/tasks.ts')).tasks],
  [
    'import',
    'Make a spec of the task list of another tool',
    async () => (await import('./commands/import.ts')).importSpec,
  ],
  ['validate', 'Check a spec and its plan', async () => (await import('./commands/validate.ts')).validate],
  [
    'coverage',
    'Follow requirements to the tasks, commands and commits that proved them',
    async () => (await import('./commands/coverage.ts')).coverage,
  ],
  [
    'questions',
    'Show the questions that planning waits for',
    async () => (await import('./commands/questions.ts')).questions,
  ],
  ['status', 'Show the status of a spec', async () => (await import('./commands/status.ts')).status],
  ['logs', 'Print the log of a task', async () => (await import('./commands/logs.ts')).logs],
  ['answer', 'Answer the question of a task', async () => (await import('./commands/answer.ts')).answer],
  ['prompt', 'Print the prompt of a task', async () => (await import('./commands/prompt.ts')).prompt],
  ['cancel', 'Stop the run of a spec', async () => (await import('./commands/cancel.ts')).cancel],
  ['next', "Tell an agent's session what to do next", async () => (await import('./commands/next.ts')).next],
  ['submit', "Check the work of a session's helper", async () => (await import('./commands/submit.ts')).submit],
  ['list', 'List the specs', async () => (await import('./commands/list.ts')).list],
  ['index', 'Write the index of all specs', async () => (await import('./commands/index-specs.ts')).indexSpecs],
  ['switch', 'Set the active spec', async () => (await import('./commands/switch.ts')).switchTo],
  ['trust', 'Trust the commands that a run executes', async () => (await import('./commands/trust.ts')).trust],
  ['agents', 'List the agents that can be used', async () => (await import('./commands/agents.ts')).agents],
  [
    'doctor',
    'Check this machine and repository for problems',
    async () => (await import('./commands/doctor.ts')).doctor,
  ],
  [
    'coordinator-prompt',
    'Let the Ralph Loop plugin drive a session',
    async () => (await import('./commands/coordinator-prompt.ts')).coordinatorPrompt,
  ],
  ['hook', "Answer a hook of an agent's session", async () => (await import('./commands/hook.ts')).hook],
  ['plugin', 'Install the plugin for Claude Code or Codex', async () => (await import('./commands/plugin.ts')).plugin],
  ['mcp', 'Serve the tools of an attempt to its agent', async () => (await import('./commands/mcp.ts')).mcp],
  ['init', 'Set up a repository', async () => (await import('./commands/init.ts')).init],
];

/** All commands, in the order of help. */
export const commands: readonly ListedCommand[] = table.map(([name, summary, load]) => ({ name, summary, load }));
