const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DATE = /\b([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?, (\d{4}) /;
const CLOCK = /\b(\d{1,2}):(\d{2}) ?([AP])M\b/i;
const AMOUNT = /(\d+(?:\.\d+)?) ?(d|h|m|s)(?:ays?|ours?|r|rs|in|ins|inutes?|ec|ecs|econds?)?(?![a-z])/gi;
const MS_OF = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const;

/** How far in the past a time without a date may be: it is printed without its seconds, and read some time later. */
const PAST_MS_MAX = 10 * 60_000;

/**
 * The end of a limit that is told in words in local time, as ISO 8601 in UTC: `try again at 4:12 PM`, `try again at
 * Nov 28th, 2026 9:06 PM`, `try again in 2 days 3 hours`, `will reset after 3h20m1s`. A time without a date is that of
 * today, or of tomorrow if today's has passed. `undefined` where no such words are.
 */
export function resetTimeIn(text: string, now: Date): string | undefined {
  const at = /\b(?:try again|resets?) at (.*)/is.exec(text)?.[1];
  const found = at === undefined ? afterDuration(text, now) : atTime(at, now);
  return found === undefined || Number.isNaN(found.getTime()) ? undefined : found.toISOString();
}

function atTime(words: string, now: Date): Date | undefined {
  const clock = CLOCK.exec(words);
  if (clock === null) return undefined;
  const hour = (Number(clock[1]) % 12) + (clock[3]?.toUpperCase() === 'P' ? 12 : 0);
  const minute = Number(clock[2]);
  const date = DATE.exec(words);
  if (date !== null) {
    const month = MONTHS.indexOf((date[1] ?? '').toLowerCase());
    return month < 0 ? undefined : new Date(Number(date[3]), month, Number(date[2]), hour, minute);
  }
  const on = (day: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + day, hour, minute);
  return on(0).getTime() < now.getTime() - PAST_MS_MAX ? on(1) : on(0);
}

function afterDuration(text: string, now: Date): Date | undefined {
  const words = /\b(?:try again|retry|resets?) (?:in|after) (.*)/is.exec(text)?.[1];
  const first = words === undefined ? undefined : /^(?:\d+(?:\.\d+)? ?[a-z]+[ ,]*(?:and )?)+/i.exec(words)?.[0];
  const parts = [...(first ?? '').matchAll(AMOUNT)];
  if (parts.length === 0) return undefined;
  const ms = parts.reduce((sum, part) => sum + Number(part[1]) * MS_OF[unitOf(part[2])], 0);
  return new Date(now.getTime() + ms);
}

function unitOf(letter = ''): keyof typeof MS_OF {
  const unit = letter.toLowerCase();
  return unit === 'd' || unit === 'h' || unit === 'm' ? unit : 's';
}
