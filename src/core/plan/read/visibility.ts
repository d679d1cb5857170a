import type { Problem } from '../data/task.ts';
import { tickSpans } from './code-spans.ts';
import { type Fence, type FenceReading, type FenceTable, findFenceEnd, findFences } from './fences.ts';
import { findWrapper, type Wrapper } from './file-wrapper.ts';
import { afterListMark } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, firstInk, type Lines, lineOf, startOf } from './lines.ts';
import { markLongSpans } from './long-spans.ts';

/** Which lines show text that acts, and what was wrong with the marks that hide the others. */
export interface Visibility {
  readonly kinds: readonly LineKind[];
  readonly problems: readonly Problem[];
}

interface VisibilityScan {
  readonly lines: Lines;
  readonly kinds: LineKind[];
  readonly problems: Problem[];
  readonly table: FenceTable;
  readonly reading: FenceReading;
  /** The range of lines, without the wrapper. */
  readonly from: number;
  readonly to: number;
  /** For each kind of mark, the last fence that was found to be unclosed: what it says about those after it. */
  readonly unclosed: Map<string, { readonly length: number; readonly indent: number; readonly until: number }>;
  comment: { next: number; end: number };
  /** A closed fence holds a box that is further left than the fence. */
  doubtful: boolean;
  /** A fence was never closed. */
  torn: boolean;
}

const COMMENT_OPEN = '<!--';
const COMMENT_CLOSE = '-->';
const LONGEST_LIST_MARK = 15;

/**
 * Finds what fences, HTML comments and code spans hide (R-READ-2, R-READ-3). One fence around the whole text is ignored, unless
 * `unwrap` is false, as for an answer in which a fence always means a quotation.
 */
export function readVisibility(lines: Lines, { unwrap } = { unwrap: true }): Visibility {
  const table = findFences(lines);
  const wrapper = unwrap ? findWrapper(lines, table.fences) : undefined;
  const paired = scan(lines, { table, wrapper, reading: 'paired' });
  const done = paired.torn && paired.doubtful ? scan(lines, { table, wrapper, reading: 'contained' }) : paired;
  markLongSpans(lines, done.kinds);
  return { kinds: done.kinds, problems: done.problems };
}

function scan(
  lines: Lines,
  how: { readonly table: FenceTable; readonly wrapper: Wrapper | undefined; readonly reading: FenceReading },
): VisibilityScan {
  const { table, wrapper, reading } = how;
  const first = lines.text.indexOf(COMMENT_OPEN);
  const state: VisibilityScan = {
    lines,
    kinds: new Array<LineKind>(lines.count).fill('text'),
    problems: [],
    table,
    reading,
    from: wrapper === undefined ? 0 : wrapper.open + 1,
    to: wrapper === undefined ? lines.count : wrapper.close,
    unclosed: new Map(),
    comment: { next: first < 0 ? Number.POSITIVE_INFINITY : first, end: -1 },
    doubtful: false,
    torn: false,
  };
  if (wrapper !== undefined) markWrapper(state, wrapper);
  markHidden(state);
  return state;
}

/** Goes from fence to fence and from comment to comment, whichever comes first. */
function markHidden(state: VisibilityScan): void {
  const { fences } = state.table;
  let line = state.from;
  let index = 0;
  while (line < state.to) {
    while ((fences[index]?.line ?? state.to) < line) index++;
    const fence = fences[index];
    const { next } = state.comment;
    const commentLine = next === Number.POSITIVE_INFINITY ? state.to : Math.max(line, lineOf(state.lines, next));
    if (fence !== undefined && fence.line < state.to && fence.line <= commentLine)
      line = skipFence(state, fence, index) + 1;
    else if (commentLine < state.to) line = skipComments(state, commentLine) + 1;
    else return;
  }
}

function markWrapper(state: VisibilityScan, wrapper: Wrapper): void {
  for (let line = 0; line <= wrapper.open; line++) state.kinds[line] = 'wrapper';
  for (let line = wrapper.close; line < state.lines.count; line++) state.kinds[line] = 'wrapper';
  state.problems.push({
    ...placeOf(state.lines, firstInk(state.lines, wrapper.open)),
    severity: 'warning',
    code: 'whole-file-fenced',
    message: 'The whole file is inside one code fence, which is ignored.',
    hint: 'Remove the first and the last line, so that other tools also see the tasks.',
  });
}

/** Marks a fence; returns its last line, or its first one if it hides nothing. */
function skipFence(state: VisibilityScan, fence: Fence, index: number): number {
  const known = state.unclosed.get(fence.mark);
  const doomed =
    known !== undefined && fence.line < known.until && fence.length >= known.length && fence.indent >= known.indent;
  const end = doomed ? undefined : findFenceEnd(state.table, index, state);
  if (end === undefined) return passFence(state, fence);
  if (end.closedBy === undefined) {
    const indent = end.searched === state.to ? 0 : fence.indent;
    state.unclosed.set(fence.mark, { length: fence.length, indent, until: end.searched });
    reportTornFence(state, fence);
    return passFence(state, fence);
  }
  state.doubtful ||= end.holdsOuterBox;
  state.kinds[fence.line] = 'fence-open';
  state.kinds.fill('fence-body', fence.line + 1, end.closedBy);
  state.kinds[end.closedBy] = 'fence-close';
  passComments(state, endOf(state.lines, end.closedBy));
  return end.closedBy;
}

/** Leaves an unclosed fence as it is; its marks are no code span either. */
function passFence(state: VisibilityScan, fence: Fence): number {
  passComments(state, endOf(state.lines, fence.line));
  return fence.line;
}

function reportTornFence(state: VisibilityScan, fence: Fence): void {
  state.torn = true;
  state.problems.push({
    ...placeOf(state.lines, firstInk(state.lines, fence.line)),
    severity: 'warning',
    code: 'unclosed-fence',
    message: 'This code fence is never closed, so it is ignored.',
    hint: `Add a line with ${fence.mark.repeat(Math.min(fence.length, 9))} after the code, or remove this line.`,
  });
}

/** Marks what the comments that begin on this line hide; returns the line to continue after. */
function skipComments(state: VisibilityScan, line: number): number {
  const { lines, comment } = state;
  if (comment.next >= endOf(lines, line)) return line;
  let last = line;
  let spans = closedSpans(lines, last);
  const ink = firstInk(lines, line);
  while (comment.next < endOf(lines, last)) {
    const open = comment.next;
    while ((spans.at(-1)?.end ?? open + 1) <= open) spans.pop();
    const isText = lines.text[open - 1] === '\\' || (spans.at(-1)?.start ?? open) < open;
    const close = isText
      ? undefined
      : commentEnd(state, open, { line: last, opensItem: beginsItem(lines.text, ink, open) });
    passComments(state, close ?? open + COMMENT_OPEN.length);
    if (close === undefined || close <= endOf(lines, last)) continue;
    const stop = Math.min(lineOf(lines, close - 1), state.to - 1);
    state.kinds.fill('comment', last + 1, stop + 1);
    last = stop;
    spans = closedSpans(lines, last);
  }
  return last;
}

/** The code spans of a line, the last one first. */
function closedSpans(lines: Lines, line: number): { readonly start: number; readonly end: number }[] {
  const spans = tickSpans(lines.text, startOf(lines, line), endOf(lines, line));
  return spans.flatMap((span) => (span.kind === 'closed' ? [span] : [])).reverse();
}

/** Moves on to the first comment that begins at or after `offset`. */
function passComments(state: VisibilityScan, offset: number): void {
  if (state.comment.next >= offset) return;
  const found = state.lines.text.indexOf(COMMENT_OPEN, offset);
  state.comment.next = found < 0 ? Number.POSITIVE_INFINITY : found;
}

/** Offset after the comment's end; `undefined` if it hides nothing. */
function commentEnd(
  state: VisibilityScan,
  open: number,
  at: { readonly line: number; readonly opensItem: boolean },
): number | undefined {
  const { text } = state.lines;
  if (state.comment.end < open + 2) {
    const found = text.indexOf(COMMENT_CLOSE, open + 2);
    state.comment.end = found < 0 ? Number.POSITIVE_INFINITY : found;
  }
  const close = state.comment.end;
  if (close === Number.POSITIVE_INFINITY) {
    state.comment.next = close;
    return tornComment(state, open);
  }
  if (close >= endOf(state.lines, at.line) && !at.opensItem) {
    const nested = text.indexOf(COMMENT_OPEN, open + COMMENT_OPEN.length);
    if (nested >= 0 && nested < close) return tornComment(state, open);
  }
  return close + COMMENT_CLOSE.length;
}

/** Whether nothing but a list mark is between the first ink of a line and this offset. */
function beginsItem(text: string, ink: number, at: number): boolean {
  return at === ink || (at > ink && at - ink < LONGEST_LIST_MARK && afterListMark(text, ink) === at);
}

function tornComment(state: VisibilityScan, at: number): undefined {
  state.problems.push({
    ...placeOf(state.lines, at),
    severity: 'warning',
    code: 'unclosed-comment',
    message: 'This HTML comment is never closed, so it is ignored.',
    hint: 'Write --> where the comment ends, or \\<!-- if it is text.',
  });
}

/** Line and column of an offset, counted from 1. */
function placeOf(lines: Lines, offset: number): { readonly line: number; readonly column: number } {
  const line = lineOf(lines, offset);
  return { line: line + 1, column: offset - startOf(lines, line) + 1 };
}
