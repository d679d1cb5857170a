/** Suffixes are six hexadecimal digits. */
const SUFFIX_COUNT = 0x1000000;
const SHAPE = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;

/** Whether a text is the id of a run. */
export function isRunId(text: string): boolean {
  return SHAPE.test(text);
}

/**
 * The id of the next run, as `20261127T231513Z-4f3a9c`: when it began and a random suffix. Ids sort in the order of
 * the runs, even of those that began within one second or after the clock was put back: `latest` is the greatest so far.
 * `now` is ISO 8601 in UTC, `chance` in [0, 1).
 */
export function nextRunId(now: string, chance: number, latest?: string): string {
  const second = `${now.slice(0, 19).replace(/[-:]/g, '')}Z`;
  const suffix = hex(Math.floor(chance * SUFFIX_COUNT));
  const id = `${second}-${suffix}`;
  if (latest === undefined || id > latest) return id;
  const [latestSecond = '', latestSuffix = ''] = latest.split('-');
  const after = Number.parseInt(latestSuffix, 16) + 1;
  return after < SUFFIX_COUNT ? `${latestSecond}-${hex(after)}` : `${secondAfter(latestSecond)}-${suffix}`;
}

function hex(value: number): string {
  return value.toString(16).padStart(6, '0');
}

function secondAfter(second: string): string {
  const iso = second.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  return `${new Date(Date.parse(iso) + 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}
