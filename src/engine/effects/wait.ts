import type { Effect } from '../../core/run/effect.ts';
import type { RunEvent } from '../../core/run/event.ts';
import type { Pause } from '../../core/run/pause.ts';
import type { World } from '../lane/world.ts';

/**
 * Waits for a usage limit to end, or for a pull request (R-DEL-7, R-PR-2). A stop ends the wait, and so does the time limit
 * of the run, if it is reached in the meantime (R-AGT-3).
 */
export async function wait(
  { task, attempt, pause }: Extract<Effect, { do: 'wait' }>,
  { clock, signal, timeIsUp }: World,
): Promise<RunEvent> {
  const ends = timeIsUp.aborted ? signal : AbortSignal.any([signal, timeIsUp]);
  await clock.sleepUntil(endOf(pause, clock), ends);
  return { type: 'waited', ...(task !== undefined && { task }), ...(attempt !== undefined && { attempt }) };
}

function endOf(pause: Pause, clock: World['clock']): string {
  if ('until' in pause) return pause.until;
  const ms = 'untilMs' in pause ? pause.untilMs : Date.parse(clock.now()) + pause.forMs;
  return new Date(ms).toISOString();
}
