import type { Settings } from '../config/schema.ts';
import type { Plan } from '../core/spec/task.ts';
import { agentCommands, chooseAgents } from './implement/agents.ts';
import { findTestCommand } from './implement/test-command.ts';
import { type Executable, planCommands } from './implement/trust.ts';
import type { SpecPlace } from './place.ts';

/** Everything that a run of this plan with the settings of its place would execute (R-SEC-1). */
export function executablesOf(plan: Plan, { repository, spec, loaded }: SpecPlace): readonly Executable[] {
  const { settings } = loaded;
  const places = { root: repository.root, specDir: spec.dir, specPath: spec.path };
  const { worktree } = settings;
  return [
    ...planCommands(plan, spec.path),
    ...agentExecutables(settings),
    ...[findTestCommand(settings, places) ?? []].flat(),
    ...(worktree?.setup === undefined
      ? []
      : [{ command: JSON.stringify(worktree.setup), from: 'the setting worktree.setup' }]),
  ];
}

/** None while no agent is chosen: the one that `implement` is given is asked about then. */
function agentExecutables(settings: Settings): readonly Executable[] {
  if (settings.agent === undefined && settings.agentCommand === undefined) return [];
  return agentCommands(chooseAgents(settings)).map((command) => ({ command, from: 'the agent' }));
}
