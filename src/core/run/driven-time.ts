import { instantMs } from '../instant.ts';
import type { Envelope } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { handOvers } from './drivers.ts';
import { evolve } from './evolve.ts';

/**
 * How long a driver has had a run since it took it up, in milliseconds: the time of its calls, and that in which it held work.
 * Between two calls with nothing handed over the run was at rest, and that time is not counted (R-SES-1).
 */
export function drivenMs(
  envelopes: readonly Envelope[],
  { driver, now }: { readonly driver: string; readonly now: string },
): number {
  let state: RunState | undefined;
  let sum = 0;
  let before: string | undefined;
  const goOn = (at: string) => {
    if (before !== undefined) sum += Math.max(0, instantMs(at) - instantMs(before));
  };
  for (const { at, event } of envelopes) {
    const isStart = event.type === 'run-started' || event.type === 'run-resumed';
    if (isStart && state?.driver !== driver) sum = 0;
    else if (!isStart || handOvers(state).length > 0) goOn(at);
    state = evolve(state, event);
    before = at;
  }
  if (state?.driver !== driver) return 0;
  if (handOvers(state).length > 0) goOn(now);
  return sum;
}
