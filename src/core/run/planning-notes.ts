import type { Answered } from '../answer/answered.ts';
import { withDecision } from '../planning/decisions.ts';
import type { RunState } from './state.ts';

/** What of a run of planning belongs into the progress file: what became of the questions of its authors (R-AGT-6, R-ASK-3). */
export function hasPlanningNotes(state: RunState): boolean {
  return settledIn(state).length > 0;
}

/** The progress file with all that; done again it changes nothing. */
export function withPlanningNotes(state: RunState, progress: string): string {
  return settledIn(state).reduce(withDecision, progress);
}

function settledIn({ decided, progress }: RunState): readonly Answered[] {
  const all = [...decided, ...[...progress.values()].flatMap(({ answered = [] }) => answered)];
  return all.filter(({ basis }) => basis !== 'look-up');
}
