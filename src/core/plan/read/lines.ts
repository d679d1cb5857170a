/**
 * A text cut into lines without copying it: everything else works with offsets into `text`. What every step asks of every
 * line is found once, while cutting, and kept in typed arrays, which need no object per line.
 */
export interface Lines {
  readonly text: string;
  /** Where each line begins; a byte order mark at the start belongs to no line. */
  readonly starts: Numbers;
  /** Where each line ends, without its line break. */
  readonly ends: Numbers;
  /** Where the first character of each line is that is neither space nor tab; the line's end if there is none. */
  readonly inks: Numbers;
  /** How many columns of white space each line begins with. */
  readonly indents: Numbers;
  readonly count: number;
}

/** One number per line. */
type Numbers = Readonly<Int32Array>;

/** Lines while they are being cut. */
type LinesDraft = Lines & { readonly [name in 'starts' | 'ends' | 'inks' | 'indents']: Int32Array };

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const TAB = 9;
const TAB_STOP = 4;

/** Cuts at LF and CRLF. A text that ends in a line break has no empty last line. */
export function splitLines(text: string): Lines {
  const first = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  const lines = emptyLines(text, countLines(text, first));
  let start = first;
  for (let line = 0; line < lines.count; line++) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 ? text.length : found;
    const end = stop > start && text.charCodeAt(stop - 1) === CARRIAGE_RETURN ? stop - 1 : stop;
    lines.starts[line] = start;
    lines.ends[line] = end;
    measureIndent(lines, line);
    start = stop + 1;
  }
  return lines;
}

function countLines(text: string, from: number): number {
  let count = 0;
  for (let at = from; at < text.length; count++) {
    const found = text.indexOf('\n', at);
    at = found < 0 ? text.length : found + 1;
  }
  return count;
}

function emptyLines(text: string, count: number): LinesDraft {
  const numbers = (): Int32Array => new Int32Array(count);
  return { text, starts: numbers(), ends: numbers(), inks: numbers(), indents: numbers(), count };
}

/** Finds the first ink of a line and the width before it; a tab goes to the next multiple of four. */
function measureIndent(lines: LinesDraft, line: number): void {
  const end = endOf(lines, line);
  let at = startOf(lines, line);
  let width = 0;
  for (; at < end; at++) {
    const code = lines.text.charCodeAt(at);
    if (code === SPACE) width++;
    else if (code === TAB) width += TAB_STOP - (width % TAB_STOP);
    else if (code !== CARRIAGE_RETURN) break;
  }
  lines.inks[line] = at;
  lines.indents[line] = width;
}

/** Offset where line `line` begins; for a line after the last one, the end of the text. */
export function startOf(lines: Lines, line: number): number {
  return lines.starts[line] ?? lines.text.length;
}

/** Offset where line `line` ends, without its line break. */
export function endOf(lines: Lines, line: number): number {
  return lines.ends[line] ?? lines.text.length;
}

/** The text of one line without its line break. */
export function lineText(lines: Lines, line: number): string {
  return lines.text.slice(startOf(lines, line), endOf(lines, line));
}

/** Offset of the first character of the line that is neither space nor tab; the line's end if there is none. */
export function firstInk(lines: Lines, line: number): number {
  return lines.inks[line] ?? lines.text.length;
}

/** Whether the line holds nothing but white space. */
export function isBlankLine(lines: Lines, line: number): boolean {
  return firstInk(lines, line) === endOf(lines, line);
}

/** Width in columns of the white space the line begins with; a tab goes to the next multiple of four. */
export function indentOf(lines: Lines, line: number): number {
  return lines.indents[line] ?? 0;
}

/** Number of the line that holds this offset, found by halving. */
export function lineOf(lines: Lines, offset: number): number {
  let low = 0;
  let high = lines.count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (startOf(lines, middle) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line break the text uses first; LF if it has none. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const found = text.indexOf('\n');
  return found > 0 && text.charCodeAt(found - 1) === CARRIAGE_RETURN ? '\r\n' : '\n';
}

/** The text with LF line breaks only, as values are given out (R-READ-15). */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}
