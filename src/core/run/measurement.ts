import type { MeasuredCommand } from '../planning/project-commands.ts';
import type { Effect } from './data/effect.ts';
import type { EventOf } from './data/event.ts';
import type { RunState } from './data/state.ts';

/** The quality commands that are due: once, before the first document of a run that researches (R-PLAN-2). */
export function dueMeasurement({ policy: { measures = [] }, measured }: RunState): Effect | undefined {
  return measures.length === 0 || measured !== undefined ? undefined : { do: 'measure', commands: measures };
}

export function commandsMeasured(state: RunState, { measured }: EventOf<'commands-measured'>): RunState {
  return { ...state, measured };
}

/** What is known of the quality commands, by this run or an earlier one of the spec. */
export function measuredOf({
  measured,
  planning,
}: Pick<RunState, 'measured' | 'planning'>): readonly MeasuredCommand[] {
  return (measured === 'RUNNING' ? undefined : measured) ?? planning?.measured ?? [];
}
