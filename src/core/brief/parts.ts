import { excerpt } from '../answer/excerpt.ts';
import { pathInFolder } from '../spec-files.ts';
import { oneLine, quoteLines, sanitise } from '../text/sanitise.ts';
import type { BriefBasis } from './input.ts';

const PATH_CHARS_MAX = 500;
const QUOTE_CHARS_MAX = 8_000;
const BULLET_CHARS_MAX = 600;
const QUOTED_LINE_CHARS_MAX = 2_000;

/** Path of a file in the folder of the spec, on one line. */
export function inSpec({ path }: BriefBasis['spec'], file: string): string {
  return oneLine(pathInFolder(path, file), PATH_CHARS_MAX);
}

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
