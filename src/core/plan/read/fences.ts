import { boxMark } from './line-forms.ts';
import { endOf, firstInk, indentOf, type Lines, lineText, startOf } from './lines.ts';

/** The line that opens a code fence. */
export interface Fence {
  readonly line: number;
  readonly mark: '`' | '~';
  /** How many marks; a closing line needs at least as many. */
  readonly length: number;
  /** Columns of white space before it. */
  readonly indent: number;
  /** The first word after the marks, lower case; empty if there is none. */
  readonly language: string;
  /** Nothing but the marks is on the line, so that it may also close a fence. */
  readonly bare: boolean;
}

/**
 * How to take a fence in which text is further left than the fence itself. `paired`: it runs to its closing line, as
 * an agent that writes a script into a list means it. `contained`: it ends with the list item that holds it, as Markdown
 * has it; right when the fences of the file do not pair up.
 */
export type FenceReading = 'paired' | 'contained';

/** Every line of a file that may open or close a fence, and every line with a box that may lie between. */
export interface FenceTable {
  readonly fences: readonly Fence[];
  readonly boxes: readonly { readonly line: number; readonly indent: number }[];
}

/** How far a fence reaches. */
export interface FenceEnd {
  /** The closing line; `undefined` for a fence that is never closed, which hides nothing (R-READ-3). */
  readonly closedBy: number | undefined;
  /** Where the search ended. */
  readonly searched: number;
  /** A box is inside, further left than the fence. */
  readonly holdsOuterBox: boolean;
}

const SHORTEST = 3;
const BACK_TICK = 96;
const TILDE = 126;
const LISTED_FENCE = /(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}(?=```|~~~)/y;

/** The fence that this line opens, if it opens one; any indentation will do, and it may be after a list mark. */
export function fenceAt(lines: Lines, line: number): Fence | undefined {
  const end = endOf(lines, line);
  const ink = firstInk(lines, line);
  const at = afterListMark(lines.text, ink, end);
  const code = lines.text.charCodeAt(at);
  if (code !== BACK_TICK && code !== TILDE) return undefined;
  const length = marksFrom(lines.text, at, end);
  if (length < SHORTEST) return undefined;
  const info = lines.text.slice(at + length, end).trim();
  if (code === BACK_TICK && info.includes('`')) return undefined;
  const language = (/^[^\s{,]{0,40}/.exec(info)?.[0] ?? '').toLowerCase();
  const bare = info === '' && at === ink;
  return { line, mark: code === TILDE ? '~' : '`', length, indent: indentOf(lines, line), language, bare };
}

/** Finds the lines with fence marks; a file without any costs two searches. */
export function findFences(lines: Lines): FenceTable {
  const fences: Fence[] = [];
  let next = nextMarks(lines.text, 0);
  for (let line = 0; line < lines.count && next !== Number.POSITIVE_INFINITY; line++) {
    if (next >= endOf(lines, line)) continue;
    const fence = fenceAt(lines, line);
    if (fence !== undefined) fences.push(fence);
    next = nextMarks(lines.text, endOf(lines, line));
  }
  return { fences, boxes: fences.length === 0 ? [] : boxLines(lines) };
}

function nextMarks(text: string, from: number): number {
  const ticks = text.indexOf('```', from);
  const tildes = text.indexOf('~~~', from);
  return Math.min(ticks < 0 ? Number.POSITIVE_INFINITY : ticks, tildes < 0 ? Number.POSITIVE_INFINITY : tildes);
}

function boxLines(lines: Lines): { line: number; indent: number }[] {
  const found: { line: number; indent: number }[] = [];
  for (let line = 0; line < lines.count; line++) {
    if (boxMark(lines.text, startOf(lines, line)) !== undefined) found.push({ line, indent: indentOf(lines, line) });
  }
  return found;
}

/** Looks for the closing line of the table's fence number `index`, before line `to`. */
export function findFenceEnd(
  table: FenceTable,
  index: number,
  options: { readonly to: number; readonly reading: FenceReading },
): FenceEnd {
  const fence = table.fences[index];
  if (fence === undefined) return { closedBy: undefined, searched: options.to, holdsOuterBox: false };
  const box = firstOuterBox(table, fence);
  const container = options.reading === 'contained' && fence.indent > 0 ? box : options.to;
  for (let next = index + 1; next < table.fences.length; next++) {
    const inner = table.fences[next];
    if (inner === undefined || inner.line >= Math.min(options.to, container)) break;
    if (inner.mark !== fence.mark || inner.length < fence.length) continue;
    const holdsOuterBox = box < inner.line;
    if (inner.bare) return { closedBy: inner.line, searched: inner.line, holdsOuterBox };
    if (holdsOuterBox) return { closedBy: undefined, searched: inner.line, holdsOuterBox };
  }
  return { closedBy: undefined, searched: Math.min(options.to, container), holdsOuterBox: box < options.to };
}

/**
 * The first line below with a box that cannot belong to the fence's own list item. A bare fence at the margin may be the
 * closing line of nothing, so any box below it counts; one with a language is a sample.
 */
function firstOuterBox(table: FenceTable, fence: Fence): number {
  let at = firstAfter(table.boxes, fence.line);
  for (let box = table.boxes[at]; box !== undefined; box = table.boxes[++at]) {
    if (fence.indent === 0 ? fence.bare : box.indent < fence.indent) return box.line;
  }
  return Number.POSITIVE_INFINITY;
}

function firstAfter(boxes: FenceTable['boxes'], line: number): number {
  let low = 0;
  let high = boxes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boxes[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

function afterListMark(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (at >= end || code === BACK_TICK || code === TILDE) return at;
  LISTED_FENCE.lastIndex = at;
  const found = LISTED_FENCE.exec(text);
  return found === null ? at : at + found[0].length;
}

function marksFrom(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let stop = at;
  while (stop < end && text.charCodeAt(stop) === code) stop++;
  return stop - at;
}

/** The text of the lines between the fence's first and closing line, without the indentation they share. */
export function fenceText(lines: Lines, open: number, close: number): string {
  const body: string[] = [];
  for (let line = open + 1; line < close; line++) body.push(lineText(lines, line));
  return withoutCommonIndent(body).join('\n').trimEnd();
}

/** The lines without the white space that all lines with text begin with. */
export function withoutCommonIndent(lines: readonly string[]): readonly string[] {
  let common: string | undefined;
  for (const line of lines) {
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (indent.length === line.length) continue;
    common = common === undefined ? indent : sharedStart(common, indent);
  }
  const cut = common?.length ?? 0;
  return lines.map((line) => (line.length >= cut ? line.slice(cut) : '').trimEnd());
}

function sharedStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}
