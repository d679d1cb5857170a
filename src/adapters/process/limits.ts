import type { Limits } from '../../ports/process.ts';

/** Longest time between two looks at the clock, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** A look that comes later than this, in milliseconds, tells of a machine that slept. */
const ASLEEP_MS = 30_000;

export interface Watch {
  /** Says that the program printed something. */
  heard(): void;
  stop(): void;
}

/**
 * Calls `onPassed` once, when the first limit is passed. Counts only time in which the machine was awake: a clock that
 * goes on while it sleeps would otherwise end a program that had no chance to go on (R-DEL-6).
 * `now` is a clock in milliseconds that nobody sets.
 */
export function watchLimits(
  limits: Limits,
  onPassed: (which: 'wall-timeout' | 'idle-timeout') => void,
  now = () => performance.now(),
): Watch {
  const { wallMs, idleMs = Number.POSITIVE_INFINITY } = limits;
  let looked = now();
  let awakeMs = 0;
  let heardAtMs = 0;
  let timer: NodeJS.Timeout;
  const look = () => {
    const elapsedMs = now() - looked;
    looked += elapsedMs;
    awakeMs += elapsedMs > LOOK_EVERY_MS + ASLEEP_MS ? LOOK_EVERY_MS : elapsedMs;
  };
  const wait = () => {
    const leftMs = Math.min(wallMs - awakeMs, heardAtMs + idleMs - awakeMs, LOOK_EVERY_MS);
    timer = setTimeout(check, Math.max(1, Math.ceil(leftMs)));
  };
  const check = () => {
    look();
    if (awakeMs >= wallMs) onPassed('wall-timeout');
    else if (awakeMs - heardAtMs >= idleMs) onPassed('idle-timeout');
    else wait();
  };
  const heard = () => {
    look();
    heardAtMs = awakeMs;
  };
  wait();
  return { heard, stop: () => clearTimeout(timer) };
}
