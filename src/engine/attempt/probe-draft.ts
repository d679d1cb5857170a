import { probeProblems } from '../../core/artifact/probe-problems.ts';
import type { DraftProblem } from '../../core/planning/draft-problem.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { judgeProbe } from '../../core/verify/probe.ts';
import type { DraftProbe } from '../../ports/drafting.ts';
import { isProblem } from '../../ports/workspace.ts';
import type { World } from '../lane/world.ts';
import { tryCommands } from './try-commands.ts';

const NAME = 'probe';

/** What trying the Verify commands of a drafted plan shows, and what a person should know of it. */
interface ProbedDraft {
  readonly problems: readonly DraftProblem[];
  readonly notes: readonly string[];
}

/** Tries each trusted Verify command of a drafted plan once, before any work (R-PROBE-1). */
export async function probeDraft(
  { file, tasks, trusted }: DraftProbe,
  state: RunState,
  world: World,
): Promise<ProbedDraft | 'cancelled'> {
  if (trusted.length === 0) return { problems: [], notes: [] };
  const commandOf = ({ verifyCommand }: DraftProbe['tasks'][number]) => verifyCommand ?? '';
  const tried = await tryCommands(trusted.map(commandOf), state, { world, name: NAME });
  if (tried === 'cancelled') return tried;
  if (isProblem(tried)) return { problems: [], notes: [`No Verify command was tried: ${tried.problem}`] };
  const { violations = [], concerns = [] } = tried.noticed ?? {};
  const probed = trusted.flatMap((task) => {
    const run = tried.runs.get(commandOf(task));
    return run === undefined ? [] : [judgeProbe(task, run, tasks)];
  });
  const problems = probeProblems(probed, { file, known: [] }).map(
    ({ severity, code, line, message, hint }): DraftProblem => ({ severity, code, file, line, message, hint }),
  );
  return { problems, notes: [...violations, ...concerns].map((line) => `A Verify command that was tried: ${line}`) };
}
