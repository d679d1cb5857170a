import { endOf, firstInk, indentOf, type Lines, lineText, startOf } from './lines.ts';

/** The line that opens a code fence. */
export interface Fence {
  readonly line: number;
  readonly mark: '`' | '~';
  /** How many marks; a closing line needs at least as many. */
  readonly length: number;
  /** Columns of white space before it. */
  readonly indent: number;
  /** The first word behind the marks, lower case; empty if there is none. */
  readonly language: string;
  /** Nothing but the marks stands on the line, so that it may also close a fence. */
  readonly bare: boolean;
}

/**
 * How to take a fence in which text stands further left than the fence itself. `paired`: it runs to its closing line, as
 * an agent that writes a script into a list means it. `contained`: it ends with the list item that holds it, as Markdown
 * has it; right when the fences of the file do not pair up.
 */
export type FenceReading = 'paired' | 'contained';

/** How far a fence reaches. */
export interface FenceEnd {
  /** The closing line; `undefined` for a fence that is never closed, which hides nothing (rule 3). */
  readonly closedBy: number | undefined;
  /** Where the search gave up or ended. */
  readonly searched: number;
  /** A box stands inside, further left than the fence. */
  readonly holdsOuterBox: boolean;
}

const SHORTEST = 3;
const BACK_TICK = 96;
const TILDE = 126;
const LISTED_FENCE = /(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}(?=```|~~~)/y;
const BOX_LINE = /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX~-]\][ \t*\\]/y;

/** The fence that this line opens, if it opens one; any indentation will do, and it may stand behind a list mark. */
export function fenceAt(lines: Lines, line: number): Fence | undefined {
  const end = endOf(lines, line);
  const ink = firstInk(lines, line);
  const at = behindListMark(lines.text, ink, end);
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

/** Looks for the closing line of a fence before line `to`. */
export function findFenceEnd(
  lines: Lines,
  fence: Fence,
  options: { readonly to: number; readonly reading: FenceReading },
): FenceEnd {
  let holdsOuterBox = false;
  for (let line = fence.line + 1; line < options.to; line++) {
    const inner = fenceAt(lines, line);
    if (inner !== undefined && inner.mark === fence.mark && inner.length >= fence.length) {
      if (inner.bare) return { closedBy: line, searched: line, holdsOuterBox };
      if (holdsOuterBox) return { closedBy: undefined, searched: line, holdsOuterBox };
    } else if (!holdsOuterBox && isOuterBox(lines, line, fence)) {
      holdsOuterBox = true;
      if (options.reading === 'contained' && fence.indent > 0)
        return { closedBy: undefined, searched: line, holdsOuterBox };
    }
  }
  return { closedBy: undefined, searched: options.to, holdsOuterBox };
}

/**
 * A box that cannot belong to the fence's own list item. A bare fence at the margin may be the closing line of nothing,
 * so a box below it counts too; one with a language is a sample.
 */
function isOuterBox(lines: Lines, line: number, fence: Fence): boolean {
  BOX_LINE.lastIndex = startOf(lines, line);
  if (!BOX_LINE.test(lines.text)) return false;
  return fence.indent === 0 ? fence.bare : indentOf(lines, line) < fence.indent;
}

function behindListMark(text: string, at: number, end: number): number {
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
