import { endOfPause } from '../../core/run/choose-agent.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { Pause } from '../../core/run/data/pause.ts';
import type { Clock } from '../../ports/clock.ts';
import type { World } from '../lane/world.ts';

type Wait = Extract<Effect, { do: 'wait' }>;

/**
 * Waits for a usage limit to end, or for a pull request (R-DEL-7, R-PR-2). A stop ends the wait, and so does the time limit
 * of the run, if it is reached in the meantime (R-AGT-3).
 */
export async function wait(effect: Wait, { clock, signal, timeIsUp }: World): Promise<RunEvent> {
  const ends = timeIsUp.aborted ? signal : AbortSignal.any([signal, timeIsUp]);
  await clock.sleepUntil(endOf(effect.pause, clock), ends);
  return waited(effect);
}

/**
 * Whether the time of a wait has come; `undefined` if it has not. A driver waits by itself, and asks again then (R-SES-1). What
 * has no end of its own spares a service that specloop calls, and is not waited for.
 */
export function waitedElsewhere(effect: Wait, clock: Pick<Clock, 'now'>): RunEvent | undefined {
  const untilMs = endOfPause(effect.pause) ?? 0;
  return Date.parse(clock.now()) < untilMs ? undefined : waited(effect);
}

function waited({ task, attempt }: Wait): RunEvent {
  return { type: 'waited', ...(task !== undefined && { task }), ...(attempt !== undefined && { attempt }) };
}

function endOf(pause: Pause, clock: World['clock']): string {
  if ('until' in pause) return pause.until;
  const ms = 'untilMs' in pause ? pause.untilMs : Date.parse(clock.now()) + pause.forMs;
  return new Date(ms).toISOString();
}
