import type { Limits } from '../../ports/process.ts';

/** Longest time between two looks at the clock, in milliseconds: what one look may count too much. */
const LOOK_EVERY_MS = 1_000;
/** A look that comes so much later than it was asked for, in milliseconds, tells that this process stood still. */
const LATE_MS = 1_000;
/** Time to read what was printed, and to learn what ended, while this process stood still, in milliseconds. */
const CATCH_UP_MS = 250;

export interface LimitWatch {
  /** Says that the program printed something. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `onPassed` once, when the first limit is passed. Counts only time in which this process ran: while the machine
 * slept, or this process was suspended (Ctrl-Z, a paused container), a program had no chance to go on, or went on and
 * was not heard (R-DEL-6). After such a pause what is waiting is read before a limit is judged.
 * `now` is a clock in milliseconds that is never set.
 */
export function watchLimits(
  limits: Limits,
  onPassed: (which: 'wall-timeout' | 'idle-timeout') => void,
  now = () => performance.now(),
): LimitWatch {
  const { wallMs, idleMs = Number.POSITIVE_INFINITY } = limits;
  let looked = now();
  let awakeMs = 0;
  let heardAtMs = 0;
  let timer: NodeJS.Timeout;
  /** Counts the time since the last look; tells whether this process stood still in it. */
  const look = (): boolean => {
    const elapsedMs = now() - looked;
    looked += elapsedMs;
    const stoodStill = elapsedMs > LOOK_EVERY_MS + LATE_MS;
    awakeMs += stoodStill ? LOOK_EVERY_MS : elapsedMs;
    return stoodStill;
  };
  const wait = (msMin: number) => {
    const leftMs = Math.min(wallMs - awakeMs, heardAtMs + idleMs - awakeMs, LOOK_EVERY_MS);
    timer = setTimeout(check, Math.max(msMin, Math.ceil(leftMs)));
  };
  const check = () => {
    if (look()) wait(CATCH_UP_MS);
    else if (awakeMs >= wallMs) onPassed('wall-timeout');
    else if (awakeMs - heardAtMs >= idleMs) onPassed('idle-timeout');
    else wait(1);
  };
  const heard = () => {
    look();
    heardAtMs = awakeMs;
  };
  wait(1);
  return { heard, stop: () => clearTimeout(timer) };
}
