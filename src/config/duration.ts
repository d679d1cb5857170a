const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const SHAPE = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

/** Timers of the runtime hold no longer time: they would go off at once. */
const LONGEST_MS = 24 * 24 * UNIT_MS.h;

export const DURATION_PATTERN = SHAPE;
export const DURATION_WORDS = 'a duration such as 90 (seconds), 500ms, 90s, 5m or 2h, at most 24 days';

/**
 * Milliseconds of a duration: seconds as a number, or a number with `ms`, `s`, `m` or `h` after it (R-UX-1).
 * `undefined` for anything else, for less than a millisecond and for more than 24 days.
 */
export function durationMs(value: number | string): number | undefined {
  const parts = SHAPE.exec(String(value));
  if (parts === null) return undefined;
  const unit = (parts[2] ?? 's') as keyof typeof UNIT_MS;
  const ms = Math.round(Number(parts[1]) * UNIT_MS[unit]);
  return ms >= 1 && ms <= LONGEST_MS ? ms : undefined;
}
