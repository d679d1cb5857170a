/** A run of back-ticks inside one line. */
interface TickRun {
  readonly at: number;
  readonly length: number;
  /** A backslash is before it. */
  readonly escaped: boolean;
}

/** A code span, or a run of back-ticks that found no partner on its line. */
export type TickSpan =
  | { readonly kind: 'closed'; readonly start: number; readonly end: number; readonly length: number }
  | { readonly kind: 'open'; readonly start: number; readonly length: number };

const BACK_TICK = 96;
const BACKSLASH = 92;

/**
 * Pairs the back-ticks of `text` between two offsets that lie on one line. A run closes at the next run of the same
 * length; one after a backslash only when there is no other, so that `` `s/\`//g` `` is one span (R-READ-12).
 */
export function tickSpans(text: string, from: number, to: number): readonly TickSpan[] {
  const runs = tickRuns(text, from, to);
  if (runs.length === 0) return [];
  const partners = partnersOf(runs);
  const spans: TickSpan[] = [];
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index];
    if (run === undefined || run.escaped) continue;
    const partner = partners[index];
    const closer = partner === undefined ? undefined : runs[partner];
    if (partner === undefined || closer === undefined) {
      spans.push({ kind: 'open', start: run.at, length: run.length });
      continue;
    }
    spans.push({ kind: 'closed', start: run.at, end: closer.at + closer.length, length: run.length });
    index = partner;
  }
  return spans;
}

/** Offset of the first run of exactly `length` back-ticks between two offsets, escaped ones left out; -1 if none. */
export function findTicks(text: string, length: number, range: { readonly from: number; readonly to: number }): number {
  for (let at = range.from; at < range.to; at++) {
    if (text.charCodeAt(at) !== BACK_TICK) continue;
    const end = runEnd(text, at, range.to);
    if (end - at === length && !isEscaped(text, at, range.from)) return at;
    at = end;
  }
  return -1;
}

/** The text of a span without its back-ticks. */
export function spanText(
  text: string,
  span: { readonly start: number; readonly end: number; readonly length: number },
): string {
  return text.slice(span.start + span.length, span.end - span.length);
}

/** What is in a text that is one code span between single back-ticks, as most values are; else `undefined`. */
export function onlySpan(text: string): string | undefined {
  const last = text.length - 1;
  const isSpan = last > 1 && text.startsWith('`') && text.indexOf('`', 1) === last && !text.includes('\n');
  return isSpan ? text.slice(1, last) : undefined;
}

function tickRuns(text: string, from: number, to: number): readonly TickRun[] {
  const runs: TickRun[] = [];
  for (let at = from; at < to; at++) {
    if (text.charCodeAt(at) !== BACK_TICK) continue;
    const end = runEnd(text, at, to);
    runs.push({ at, length: end - at, escaped: isEscaped(text, at, from) });
    at = end;
  }
  return runs;
}

/** For each run the index of the run that would close it, found from the back so that the cost stays linear. */
function partnersOf(runs: readonly TickRun[]): readonly (number | undefined)[] {
  const plain = new Map<number, number>();
  const escaped = new Map<number, number>();
  const partners: (number | undefined)[] = new Array(runs.length);
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index];
    if (run === undefined) continue;
    partners[index] = plain.get(run.length) ?? escaped.get(run.length);
    (run.escaped ? escaped : plain).set(run.length, index);
  }
  return partners;
}

function runEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && text.charCodeAt(end) === BACK_TICK) end++;
  return end;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - slashes > from && text.charCodeAt(at - slashes - 1) === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}
