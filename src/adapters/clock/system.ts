import type { Clock } from '../../ports/clock.ts';

/**
 * The longest single timer. Timers stand still while a machine is suspended and hold at most 24.8 days, so a long
 * sleep looks at the wall clock again and again; a limit that ended in the meantime is noticed within this time.
 */
const STEP_MS_MAX = 15_000;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => new Date().toISOString(),
  async sleepUntil(instant, signal) {
    const end = Date.parse(instant);
    if (Number.isNaN(end)) throw new Error(`"${instant}" is not a date and time in ISO 8601.`);
    for (let left = end - Date.now(); left > 0 && !signal.aborted; left = end - Date.now()) {
      await pause(Math.min(left, STEP_MS_MAX), signal);
    }
  },
  sleepMs: pause,
};

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish);
  });
}
