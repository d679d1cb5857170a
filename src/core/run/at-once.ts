import type { AgentReport } from './data/event.ts';
import type { Pause } from './data/pause.ts';
import type { RunState } from './data/state.ts';

export const noneAtOnce: RunState['atOnce'] = { inARow: 0, isDue: false };

const AT_ONCE_MS = 1_500;
const PAUSE_MS = { first: 1_000, max: 60_000 };

/** Whether an agent ended too soon to have worked, as one does whose service takes no work for now and that cannot say so. */
export function endedAtOnce({ how, durationMs }: Pick<AgentReport, 'how' | 'durationMs'>): boolean {
  return (how === 'failed' || how === 'crashed') && durationMs < AT_ONCE_MS;
}

/** The state in which the next attempt waits (R-AGT-4): longer each time. */
export function noteAtOnce(state: RunState): RunState {
  return { ...state, atOnce: { inARow: state.atOnce.inARow + 1, isDue: true } };
}

/** An agent worked: what comes next need not wait. */
export function noteWork(state: RunState): RunState {
  return state.atOnce === noneAtOnce ? state : { ...state, atOnce: noneAtOnce };
}

/** The pause is over. */
export function notePaused(state: RunState): RunState {
  return state.atOnce.isDue ? { ...state, atOnce: { ...state.atOnce, isDue: false } } : state;
}

/** The pause before the next attempt; `undefined` if it need not wait. */
export function pauseOf({ atOnce: { inARow, isDue } }: RunState): Pause | undefined {
  if (!isDue) return undefined;
  return { forMs: Math.min(PAUSE_MS.first * 2 ** (inARow - 1), PAUSE_MS.max), why: 'ended-at-once' };
}
