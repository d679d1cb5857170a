import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import type { Pause } from '../../core/run/pause.ts';
import type { World } from '../lane/world.ts';

/** Waits for a usage limit to end, or for a pull request; a stop ends the wait (R-DEL-7, R-PR-2). */
export async function wait(
  { task, attempt, pause }: Extract<Effect, { do: 'wait' }>,
  { clock, signal }: World,
): Promise<RunEvent> {
  await clock.sleepUntil(endOf(pause, clock), signal);
  return { type: 'waited', ...(task !== undefined && { task }), ...(attempt !== undefined && { attempt }) };
}

function endOf(pause: Pause, clock: World['clock']): string {
  if ('until' in pause) return pause.until;
  const ms = 'untilMs' in pause ? pause.untilMs : Date.parse(clock.now()) + pause.forMs;
  return new Date(ms).toISOString();
}
