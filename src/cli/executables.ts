import type { Settings } from '../config/schema.ts';
import type { Plan } from '../core/spec/task.ts';
import { agentCommands, chooseAgents } from './implement/agents.ts';
import { type Executable, planCommands } from './implement/trust.ts';

/** Everything that a run of this plan with these settings would execute (R-SEC-1). `path` is the spec's folder. */
export function executablesOf(plan: Plan, path: string, settings: Settings): readonly Executable[] {
  return [...planCommands(plan, path), ...agentExecutables(settings), ...ownCommands(settings)];
}

/** None while no agent is chosen: the one that `implement` is given is asked about then. */
function agentExecutables(settings: Settings): readonly Executable[] {
  if (settings.agent === undefined && settings.agentCommand === undefined) return [];
  return agentCommands(chooseAgents(settings)).map((command) => ({ command, from: 'the agent' }));
}

function ownCommands({ testCommand, worktree }: Settings): readonly Executable[] {
  return [
    ...(testCommand === undefined ? [] : [{ command: testCommand, from: 'testCommand' }]),
    ...(worktree?.setup === undefined ? [] : [{ command: JSON.stringify(worktree.setup), from: 'worktree.setup' }]),
  ];
}
