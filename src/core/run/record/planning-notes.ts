import type { Answered } from '../../answer/answered.ts';
import { withDecision } from '../../planning/decisions.ts';
import { type RealityCheck, withRealityCheck } from '../../planning/reality-check.ts';
import type { RunState } from '../data/state.ts';

/**
 * What of a run of planning belongs into the progress file: what became of the questions of its authors (R-AGT-6, R-ASK-3), and
 * whether the defect was seen (R-BUG-1).
 */
export function hasPlanningNotes(state: RunState): boolean {
  return settledIn(state).length > 0 || realityOf(state) !== undefined;
}

/** The progress file with all that; done again it changes nothing. */
export function withPlanningNotes(state: RunState, progress: string): string {
  return withReality(state, settledIn(state).reduce(withDecision, progress));
}

/** The progress file with what the command did that shows the defect, if it was run (R-BUG-1). */
export function withReality(state: RunState, progress: string): string {
  const reality = realityOf(state);
  return reality === undefined ? progress : withRealityCheck(progress, reality);
}

/** What the command did that shows the defect; `undefined` before it was run. */
export function realityOf({ reality }: Pick<RunState, 'reality'>): RealityCheck | undefined {
  return reality === 'RUNNING' ? undefined : reality;
}

function settledIn({ decided, progress }: RunState): readonly Answered[] {
  const all = [...decided, ...[...progress.values()].flatMap(({ answered = [] }) => answered)];
  return all.filter(({ basis }) => basis !== 'look-up');
}
