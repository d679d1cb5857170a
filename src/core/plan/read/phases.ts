import type { Heading } from './outline.ts';

/** The headings that are phases, in file order, and the rank that ends one. */
export interface Phases {
  /** Lines of the phase headings, ascending. */
  readonly lines: readonly number[];
  readonly titles: readonly string[];
  /** For each of them, the line where it stops to hold. */
  readonly ends: readonly number[];
}

const PHASE =
  /^[^\p{L}\p{N}]{0,12}phase(?![\p{L}\p{N}_-])(?![ \t]+(?:dependenc|order|overview|summary|breakdown|plan\b|structure))/iu;

/** Whether a heading says `Phase …`. */
export function isPhaseHeading(heading: Pick<Heading, 'text'> | undefined): boolean {
  return heading !== undefined && PHASE.test(heading.text);
}

/**
 * Finds the phases (R-READ-10): headings that say `Phase …`, or, if none is above a task, those of the highest level
 * below `#` that have tasks under them.
 */
export function readPhases(headings: readonly Heading[], taskLines: readonly number[]): Phases {
  const last = taskLines.at(-1) ?? -1;
  const named = headings.filter(isPhaseHeading);
  if (named.some((heading) => heading.line < last)) return phasesOf(named, headings, 0);
  const level = highestLevel(headings, taskLines);
  return phasesOf(
    headings.filter((heading) => heading.level === level),
    headings,
    level - 1,
  );
}

/** A phase holds until the next one, or until a heading of level `outer` or above. */
function phasesOf(phases: readonly Heading[], headings: readonly Heading[], outer: number): Phases {
  const ends: number[] = [];
  let next = Number.POSITIVE_INFINITY;
  const starts = new Set(phases.map((heading) => heading.line));
  for (let index = headings.length - 1; index >= 0; index--) {
    const heading = headings[index];
    if (heading === undefined) continue;
    if (starts.has(heading.line)) ends.push(next);
    if (starts.has(heading.line) || heading.level <= outer) next = heading.line;
  }
  return {
    lines: phases.map((heading) => heading.line),
    titles: phases.map((heading) => heading.text),
    ends: ends.reverse(),
  };
}

/** The highest level from 2 on at which a heading has a task under it; 0 if there is none. */
function highestLevel(headings: readonly Heading[], taskLines: readonly number[]): number {
  const open: Heading[] = [];
  let best = Number.POSITIVE_INFINITY;
  let task = 0;
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop();
    open.push(heading);
    const end = headings[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    while ((taskLines[task] ?? Number.POSITIVE_INFINITY) < heading.line) task++;
    if ((taskLines[task] ?? Number.POSITIVE_INFINITY) >= end) continue;
    const outermost = open.find((above) => above.level > 1);
    if (outermost !== undefined) best = Math.min(best, outermost.level);
  }
  return Number.isFinite(best) ? best : 0;
}

/** Index of the last phase heading above this line; -1 if there is none. */
export function phaseAbove(phases: Phases, line: number): number {
  let low = -1;
  let high = phases.lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((phases.lines[middle] ?? 0) < line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Title of the phase that holds at this line. */
export function phaseTitle(phases: Phases, above: number, line: number): string | undefined {
  return line < (phases.ends[above] ?? -1) ? phases.titles[above] : undefined;
}
