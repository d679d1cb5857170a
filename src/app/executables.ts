import type { Settings } from '../config/schema.ts';
import { isMarkerCommand } from '../core/plan/marker-command.ts';
import type { Plan } from '../core/plan/task.ts';
import type { SpecPlace } from './place.ts';
import { findTestCommand } from './test-command.ts';
import { type Executable, planCommands } from './trust.ts';
import { workdirOf } from './workdir.ts';

/** Everything that a run of this plan with the settings of its place would execute (R-SEC-1). */
export function executablesOf(plan: Plan, place: SpecPlace): readonly Executable[] {
  const { spec, loaded } = place;
  const { settings } = loaded;
  const { worktree } = settings;
  const tests = findTestCommand(place, workdirOf(place));
  return [
    ...planCommands(plan, `${spec.path}/${spec.format.file}`).filter(
      ({ command }) => !isMarkerCommand(command, tests?.command),
    ),
    ...agentExecutables(settings),
    ...[tests ?? []].flat(),
    ...(worktree?.setup === undefined
      ? []
      : [{ command: JSON.stringify(worktree.setup), from: 'the setting worktree.setup', argv: worktree.setup }]),
  ];
}

/** The programs that are named as agents, of every role; an agent with an adapter of its own is no command of a plan. */
function agentExecutables({ agentCommand, roles }: Settings): readonly Executable[] {
  const named = [
    ['the agent', agentCommand],
    ['the agent of the executor', roles?.executor?.command],
    ['the agent of the verifier', roles?.verifier?.command],
    ['the agent of the reviewer', roles?.reviewer?.command],
  ] as const;
  return named.flatMap(([from, argv]) => (argv === undefined ? [] : [{ command: JSON.stringify(argv), from, argv }]));
}
