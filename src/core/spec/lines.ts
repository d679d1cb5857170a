/** A text cut into lines without copying it: everything else works with offsets into `text`. */
export interface Lines {
  readonly text: string;
  /** Where each line begins; a byte order mark at the start belongs to no line. */
  readonly starts: readonly number[];
  /** Where each line ends, without its line break. */
  readonly ends: readonly number[];
  readonly count: number;
}

const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const TAB = 9;
const TAB_STOP = 4;

/** Cuts at LF and CRLF. A text that ends in a line break has no empty last line. */
export function splitLines(text: string): Lines {
  const starts: number[] = [];
  const ends: number[] = [];
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const stop = found < 0 ? text.length : found;
    starts.push(start);
    ends.push(stop > start && text.charCodeAt(stop - 1) === CARRIAGE_RETURN ? stop - 1 : stop);
    start = stop + 1;
  }
  return { text, starts, ends, count: starts.length };
}

/** Offset where line `line` begins; for a line behind the last one, the end of the text. */
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
  const end = endOf(lines, line);
  let at = startOf(lines, line);
  while (at < end && isBlank(lines.text.charCodeAt(at))) at++;
  return at;
}

/** Whether the line holds nothing but white space. */
export function isBlankLine(lines: Lines, line: number): boolean {
  return firstInk(lines, line) === endOf(lines, line);
}

/** Width in columns of the white space the line begins with; a tab goes to the next multiple of four. */
export function indentOf(lines: Lines, line: number): number {
  const end = endOf(lines, line);
  let width = 0;
  for (let at = startOf(lines, line); at < end; at++) {
    const code = lines.text.charCodeAt(at);
    if (code === SPACE) width++;
    else if (code === TAB) width += TAB_STOP - (width % TAB_STOP);
    else if (code !== CARRIAGE_RETURN) break;
  }
  return width;
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

/** The text with LF line breaks only, as values are given out (rule 15). */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CARRIAGE_RETURN;
}
