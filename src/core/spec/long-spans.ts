import { type TickSpan, tickSpans } from './code-spans.ts';
import { behindListMark, boxMark } from './line-forms.ts';
import { endOf, type Lines, startOf } from './lines.ts';
import type { LineKind } from './visibility.ts';

/** A run of back-ticks that found no partner on its own line. */
interface OpenRun {
  readonly line: number;
  readonly start: number;
  readonly length: number;
}

const BACK_TICK = '`';
const WORD = /[\p{L}\p{N}]/u;
/** A box with an id, or a field: a line that begins something of its own. */
const NEW_THING =
  /^[ \t]*[-*+][ \t]+(?:\[[ xX~-]\][ \t*\\]+(?:\*\*)?(?:\d+\.|T\d|Task[ \t]\d)|(?:\*\*|__)?(?:do|files?|done when|verify|commit)(?:\*\*|__)?[ \t]*[:：])/i;

/**
 * Marks the lines that begin inside a code span from a line above, as in a command with a here-document (rule 2). Such a
 * span counts only if both ends look like ends and the line that closes it has an odd number of runs; a back-tick that
 * somebody forgot must not hide the tasks below it.
 */
export function markLongSpans(lines: Lines, kinds: LineKind[]): void {
  const runs = findRuns(lines, kinds);
  let done = -1;
  for (const line of runs.unpaired) {
    if (line > done && kinds[line] === 'text') done = skipLongSpans(lines, kinds, { line, lengths: runs.lengths });
  }
}

/** Marks the spans that begin on this line and on the lines that close them; returns the last line of the chain. */
function skipLongSpans(lines: Lines, kinds: LineKind[], at: { line: number; lengths: RunLines }): number {
  let line = at.line;
  let from = startOf(lines, line);
  for (;;) {
    const open = openRun(lines, line, from);
    if (open === undefined) return line;
    const end = closingLine(lines, open, at.lengths);
    if (end === undefined) return line;
    for (let hidden = line + 1; hidden <= end.line; hidden++) if (kinds[hidden] === 'text') kinds[hidden] = 'span';
    line = end.line;
    from = end.behind;
  }
}

/** For each length of a run, the lines of text that hold one, in order. */
type RunLines = ReadonlyMap<number, { readonly lines: number[]; next: number }>;

/** One pass over the lines of text with back-ticks: which hold a run without partner, and which lengths occur where. */
function findRuns(
  lines: Lines,
  kinds: readonly LineKind[],
): { readonly unpaired: readonly number[]; readonly lengths: RunLines } {
  const lengths = new Map<number, { readonly lines: number[]; next: number }>();
  const unpaired: number[] = [];
  let next = lines.text.indexOf(BACK_TICK);
  for (let line = 0; line < lines.count && next >= 0; line++) {
    const end = endOf(lines, line);
    if (next >= end) continue;
    if (kinds[line] === 'text') {
      for (const span of tickSpans(lines.text, startOf(lines, line), end)) {
        noteLength(lengths, span.length, line);
        if (span.kind === 'open' && unpaired.at(-1) !== line) unpaired.push(line);
      }
    }
    next = lines.text.indexOf(BACK_TICK, end);
  }
  return { unpaired, lengths };
}

function noteLength(
  lengths: Map<number, { readonly lines: number[]; next: number }>,
  length: number,
  line: number,
): void {
  const known = lengths.get(length);
  if (known === undefined) lengths.set(length, { lines: [line], next: 0 });
  else if (known.lines.at(-1) !== line) known.lines.push(line);
}

/** The first run behind `from` that stays open on this line and looks like the beginning of a span. */
function openRun(lines: Lines, line: number, from: number): OpenRun | undefined {
  const { text } = lines;
  const end = endOf(lines, line);
  for (const span of tickSpans(text, from, end)) {
    if (span.kind === 'closed') continue;
    const behind = span.start + span.length;
    const startsWord = span.start === from || !WORD.test(text[span.start - 1] ?? '');
    if (startsWord && behind < end && !/\s/.test(text[behind] ?? ''))
      return { line, start: span.start, length: span.length };
  }
  return undefined;
}

/** Where a span ends that began on a line above: on the next line with such a run, if the run does not belong there. */
function closingLine(lines: Lines, open: OpenRun, lengths: RunLines): { line: number; behind: number } | undefined {
  const line = nextLine(lengths, open);
  if (line === undefined) return undefined;
  const { text } = lines;
  const start = startOf(lines, line);
  const end = endOf(lines, line);
  const runs = tickSpans(text, start, end).filter((span) => span.length === open.length);
  const closer = runs[0];
  if (closer === undefined || !runs.some((span) => span.kind === 'open')) return undefined;
  if (!looksClosed(text, closer, start) || NEW_THING.test(text.slice(start, end))) return undefined;
  if (boxMark(text, startOf(lines, open.line)) !== undefined && hasItem(lines, open.line + 1, line)) return undefined;
  return { line, behind: closer.start + open.length };
}

/** A span ends behind ink and before something that is no word; in a list item only a quote or bracket ends it. */
function looksClosed(text: string, closer: TickSpan, lineStart: number): boolean {
  const before = closer.start === lineStart ? '' : (text[closer.start - 1] ?? '');
  if (/[ \t]/.test(before) || WORD.test(text[closer.start + closer.length] ?? '')) return false;
  return behindListMark(text, lineStart) === undefined || /["')}\];]/.test(before);
}

/** Whether a list item begins on one of the lines. */
function hasItem(lines: Lines, from: number, to: number): boolean {
  for (let line = from; line <= to; line++) {
    if (behindListMark(lines.text, startOf(lines, line)) !== undefined) return true;
  }
  return false;
}

function nextLine(lengths: RunLines, open: OpenRun): number | undefined {
  const known = lengths.get(open.length);
  if (known === undefined) return undefined;
  while ((known.lines[known.next] ?? Number.POSITIVE_INFINITY) <= open.line) known.next++;
  return known.lines[known.next];
}
