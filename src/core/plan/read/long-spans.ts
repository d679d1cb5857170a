import { hereDocumentWord, wordOfLine } from '../shell/here-document.ts';
import { findTicks, type TickSpan, tickSpans } from './code-spans.ts';
import { afterListMark, boxMark } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, type Lines, lineText, startOf } from './lines.ts';

/** A run of back-ticks that found no partner on its own line. */
interface OpenRun {
  readonly line: number;
  readonly start: number;
  readonly length: number;
}

/** Line numbers in ascending order, with the place where the last search stopped. */
interface LineList {
  readonly lines: number[];
  next: number;
}

/** What the search for the end of a span needs to know, gathered in one pass when the first run without partner is met. */
interface Runs {
  /** For each length of a run, the lines of text that hold one. */
  readonly lengths: ReadonlyMap<number, LineList>;
  /** For each word, the lines that consist of it; filled when the first here-document is met. */
  readonly words: Map<string, LineList>;
}

const BACK_TICK = '`';
const BACKSLASH = '\\';
/** How far below the end of a here-document the end of its span is looked for: `)"` and the like may come between. */
const TAIL_LINES = 3;
const WORD = /[\p{L}\p{N}]/u;
/** A box with an id, or a field: a line that begins something of its own. */
const NEW_THING =
  /^[ \t]*[-*+][ \t]+(?:\[[ xX~-]\][ \t*\\]+(?:\*\*)?(?:\d+\.|T\d|Task[ \t]\d)|(?:\*\*|__)?(?:do|files?|done when|verify|commit)(?:\*\*|__)?[ \t]*[:：])/i;

/**
 * Marks the lines that begin inside a code span from a line above, as in a command with a here-document (R-READ-2). Such a
 * span counts only if both ends look like ends and the line that closes it has an odd number of runs; a back-tick that
 * someone forgot must not hide the tasks below it.
 */
export function markLongSpans(lines: Lines, kinds: LineKind[]): void {
  const unpaired = unpairedLines(lines, kinds);
  if (unpaired.length === 0) return;
  const runs: Runs = { lengths: runLengths(lines, kinds), words: new Map() };
  let done = -1;
  for (const line of unpaired) {
    if (line > done && kinds[line] === 'text') done = skipLongSpans(lines, kinds, { line, runs });
  }
}

/** Marks the spans that begin on this line and on the lines that close them; returns the last line of the chain. */
function skipLongSpans(lines: Lines, kinds: LineKind[], at: { line: number; runs: Runs }): number {
  let line = at.line;
  let from = startOf(lines, line);
  for (;;) {
    const open = openRun(lines, line, from);
    if (open === undefined) return line;
    const end = hereDocumentEnd(lines, open, at.runs) ?? closingLine(lines, open, at.runs);
    if (end === undefined) return line;
    for (let hidden = line + 1; hidden <= end.line; hidden++) if (kinds[hidden] === 'text') kinds[hidden] = 'span';
    line = end.line;
    from = end.after;
  }
}

/** Visits the lines of text with back-ticks, each with the offset of its first one. */
function visitTickLines(lines: Lines, kinds: readonly LineKind[], visit: (line: number, first: number) => void): void {
  let next = lines.text.indexOf(BACK_TICK);
  for (let line = 0; line < lines.count && next >= 0; line++) {
    const end = endOf(lines, line);
    if (next >= end) continue;
    if (kinds[line] === 'text') visit(line, next);
    next = lines.text.indexOf(BACK_TICK, end);
  }
}

/** The lines of text that hold a run of back-ticks without partner. */
function unpairedLines(lines: Lines, kinds: readonly LineKind[]): readonly number[] {
  const found: number[] = [];
  visitTickLines(lines, kinds, (line, first) => {
    const end = endOf(lines, line);
    if (isOneSpan(lines.text, first, end)) return;
    if (tickSpans(lines.text, startOf(lines, line), end).some((span) => span.kind === 'open')) found.push(line);
  });
  return found;
}

/** Whether the first back-tick of a line and a second one are all it has, as on most lines with a span. */
function isOneSpan(text: string, first: number, end: number): boolean {
  const second = text.indexOf(BACK_TICK, first + 1);
  if (second < 0 || second >= end || second === first + 1) return false;
  const third = text.indexOf(BACK_TICK, second + 1);
  const isLast = third < 0 || third >= end;
  return isLast && text[first - 1] !== BACKSLASH && text[second - 1] !== BACKSLASH;
}

/** For each length of a run of back-ticks, the lines of text that hold one. */
function runLengths(lines: Lines, kinds: readonly LineKind[]): ReadonlyMap<number, LineList> {
  const lengths = new Map<number, LineList>();
  visitTickLines(lines, kinds, (line) => {
    for (const { length } of tickSpans(lines.text, startOf(lines, line), endOf(lines, line)))
      note(lengths, length, line);
  });
  return lengths;
}

function note<Key>(found: Map<Key, LineList>, key: Key, line: number): void {
  const known = found.get(key);
  if (known === undefined) found.set(key, { lines: [line], next: 0 });
  else if (known.lines.at(-1) !== line) known.lines.push(line);
}

/** The first run after `from` that stays open on this line and looks like the beginning of a span. */
function openRun(lines: Lines, line: number, from: number): OpenRun | undefined {
  const { text } = lines;
  const end = endOf(lines, line);
  for (const span of tickSpans(text, from, end)) {
    if (span.kind === 'closed') continue;
    const after = span.start + span.length;
    const startsWord = span.start === from || !WORD.test(text[span.start - 1] ?? '');
    if (startsWord && after < end && !/\s/.test(text[after] ?? ''))
      return { line, start: span.start, length: span.length };
  }
  return undefined;
}

/** A here-document may hold anything; its span ends at the first run on or right below the line that ends the document. */
function hereDocumentEnd(lines: Lines, open: OpenRun, runs: Runs): { line: number; after: number } | undefined {
  const { text } = lines;
  const word = hereDocumentWord(text.slice(open.start, endOf(lines, open.line)));
  if (word === undefined) return undefined;
  if (runs.words.size === 0) {
    for (let line = 0; line < lines.count; line++) {
      const found = wordOfLine(lineText(lines, line));
      if (found !== undefined) note(runs.words, found, line);
    }
  }
  const last = nextLine(runs.words.get(word), open.line);
  if (last === undefined) return undefined;
  for (let line = last + 1; line <= Math.min(last + TAIL_LINES, lines.count - 1); line++) {
    const at = findTicks(text, open.length, { from: startOf(lines, line), to: endOf(lines, line) });
    if (at >= 0) return { line, after: at + open.length };
  }
  return undefined;
}

/** Where a span ends that began on a line above: on the next line with such a run, if the run does not belong there. */
function closingLine(lines: Lines, open: OpenRun, runs: Runs): { line: number; after: number } | undefined {
  const line = nextLine(runs.lengths.get(open.length), open.line);
  if (line === undefined) return undefined;
  const { text } = lines;
  const start = startOf(lines, line);
  const end = endOf(lines, line);
  const spans = tickSpans(text, start, end).filter((span) => span.length === open.length);
  const closer = spans[0];
  if (closer === undefined || !spans.some((span) => span.kind === 'open')) return undefined;
  if (!looksClosed(text, closer, start) || NEW_THING.test(text.slice(start, end))) return undefined;
  if (boxMark(text, startOf(lines, open.line)) !== undefined && hasItem(lines, open.line + 1, line)) return undefined;
  return { line, after: closer.start + open.length };
}

/** A span ends after ink and before something that is no word; in a list item only a quote or bracket ends it. */
function looksClosed(text: string, closer: TickSpan, lineStart: number): boolean {
  const before = closer.start === lineStart ? '' : (text[closer.start - 1] ?? '');
  if (/[ \t]/.test(before) || WORD.test(text[closer.start + closer.length] ?? '')) return false;
  return afterListMark(text, lineStart) === undefined || /["')}\];]/.test(before);
}

/** Whether a list item begins on one of the lines. */
function hasItem(lines: Lines, from: number, to: number): boolean {
  for (let line = from; line <= to; line++) {
    if (afterListMark(lines.text, startOf(lines, line)) !== undefined) return true;
  }
  return false;
}

/** The first line of the list after `line`; searches go from top to bottom. */
function nextLine(list: LineList | undefined, line: number): number | undefined {
  if (list === undefined) return undefined;
  while ((list.lines[list.next] ?? Number.POSITIVE_INFINITY) <= line) list.next++;
  return list.lines[list.next];
}
