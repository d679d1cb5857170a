import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import type { World } from '../lane/world.ts';

/** Waits for a usage limit to end; a stop ends the wait (R-DEL-7). */
export async function wait(
  { task, attempt, pause }: Extract<Effect, { do: 'wait' }>,
  { clock, signal }: World,
): Promise<RunEvent> {
  const until = 'until' in pause ? pause.until : new Date(Date.parse(clock.now()) + pause.forMs).toISOString();
  await clock.sleepUntil(until, signal);
  return { type: 'waited', task, attempt };
}
