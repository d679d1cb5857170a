import { specWord } from '../planning/planning-facts.ts';
import { isNotRun, type RealityCheck, realityText, showsDefect } from '../planning/reality-check.ts';
import type { Effect } from './data/effect.ts';
import type { EventOf } from './data/event.ts';
import type { RunEnding } from './data/run-ending.ts';
import type { RunState } from './data/state.ts';

/** The reproduction that is due: before the first document, or after the last task (R-BUG-1). */
export function dueReproduction(
  { policy: { reproduction }, reality }: RunState,
  { isTaskLeft }: { readonly isTaskLeft: boolean },
): Effect | undefined {
  if (reproduction === undefined || reality !== undefined) return undefined;
  return (reproduction.when === 'before') === isTaskLeft ? { do: 'reproduce', ...reproduction } : undefined;
}

export function reproduced(state: RunState, event: EventOf<'reproduction-run'>): RunState {
  const { when, command, exitCode, how, output } = event;
  return { ...state, reality: { when, command, how, output, ...(exitCode === undefined ? {} : { exitCode }) } };
}

/** Why a run ends at its reproduction: the defect was not seen before the fix, or is there still after it (R-BUG-1). */
export function realityEnding({ reality, planning }: RunState): RunEnding | undefined {
  if (reality === undefined || reality === 'RUNNING') return undefined;
  return reality.when === 'before'
    ? notReproduced(reality, planning === undefined ? '' : specWord(planning))
    : stillThere(reality);
}

function notReproduced(check: RealityCheck, spec: string): RunEnding | undefined {
  if (showsDefect(check)) return undefined;
  const what = isNotRun(check)
    ? 'The command that is to show the defect did not run, so nothing is known of the defect'
    : 'The defect was not reproduced';
  const reason = [
    `${what}: \`${check.command}\`: ${realityText(check)}.`,
    `To go on all the same: specloop approve ${spec}`,
    'To run another command: put it as a code span into the goal in the progress file.',
  ].join('\n');
  return { result: 'waiting', reason };
}

function stillThere(check: RealityCheck): RunEnding | undefined {
  if (check.how === 'exited' && check.exitCode === 0) return undefined;
  return {
    result: 'stuck',
    reason: `ERROR: ${isNotRun(check) ? 'The command that shows the defect did not run' : 'The defect is still there'}: \`${check.command}\`: ${realityText(check)}.\n${check.output.trim().slice(-2_000)}`,
  };
}
