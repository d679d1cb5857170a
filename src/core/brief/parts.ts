import { excerpt } from '../answer/excerpt.ts';
import { oneLine, quoteLines, sanitise } from '../text/sanitise.ts';

const QUOTE_CHARS_MAX = 8_000;
const BULLET_CHARS_MAX = 600;
const QUOTED_LINE_CHARS_MAX = 2_000;

/** A section of a prompt. */
export function section(title: string, lines: readonly string[]): string {
  return [`## ${title}`, '', ...lines].join('\n');
}

/** Text from outside as a quotation: sanitised, its last `charsMax` UTF-16 units, `> ` before every line (R-PR-4). */
export function quoted(text: string, charsMax = QUOTE_CHARS_MAX): string {
  return quoteLines(excerpt(sanitise(text, { charsPerLineMax: QUOTED_LINE_CHARS_MAX }), charsMax));
}

/** Lines from outside as a quoted list, each bounded (R-PR-4). */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `> - ${oneLine(line, BULLET_CHARS_MAX)}`).join('\n');
}
