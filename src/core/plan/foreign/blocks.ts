import type { Source } from '../read/fields.ts';
import type { Head } from '../read/head.ts';
import { afterListMark, isRule } from '../read/line-forms.ts';
import { endOf, firstInk, indentOf, isBlankLine } from '../read/lines.ts';
import { type Phases, phaseAbove, phaseTitle, readPhases } from '../read/phases.ts';
import type { RoledBox, RoledItems } from './roles.ts';

/** A task or a group with the lines that belong to it. */
export interface ItemBlock {
  readonly kind: 'task' | 'group';
  readonly line: number;
  /** The line after the last one that is not blank. */
  readonly end: number;
  /** The line after its title. */
  readonly titleEnd: number;
  readonly head: Head;
  readonly optional: boolean;
  readonly phase: string | undefined;
  /** How many headings and groups are above it: neighbours with the same number have none between them. */
  readonly stretch: number;
  /** Its box, or all boxes of a heading that is a task. */
  readonly boxes: readonly RoledBox[];
  /** Index of its box; `undefined` for a heading. */
  readonly box: number | undefined;
}

type BlockStart = Omit<ItemBlock, 'end' | 'phase' | 'stretch'> & {
  /** The line that its section ends at. */
  readonly limit: number;
};

/** Cuts a file into tasks and groups, each a list item with all that stands further right (R-DIA-4). */
export function readItemBlocks(source: Source, items: RoledItems): readonly ItemBlock[] {
  const starts = startsOf(source, items);
  const tasks = starts.filter(({ kind }) => kind === 'task');
  const phases = readPhases(
    headingsOutside(items),
    tasks.map(({ line }) => line),
  );
  const boxLines = new Set(items.boxes.map(({ line }) => line));
  let heading = 0;
  let groups = 0;
  return starts.map((start, index) => {
    while ((items.headings[heading]?.line ?? Number.POSITIVE_INFINITY) <= start.line) heading++;
    if (start.kind === 'group') groups++;
    const stop = Math.min(start.limit, starts[index + 1]?.line ?? source.lines.count);
    const end = start.box === undefined ? stop : itemEnd(source, start, { stop, boxLines });
    return {
      ...start,
      end: trimmed(source, start.line, end),
      phase: phaseOf(phases, start.line),
      stretch: heading + groups,
    };
  });
}

function startsOf(source: Source, { headings, boxes, headingTasks }: RoledItems): readonly BlockStart[] {
  const limit = source.lines.count;
  const starts: BlockStart[] = [];
  for (const [index, box] of boxes.entries()) {
    const { role: kind, line, title, head, optional } = box;
    if (kind === 'task' || kind === 'group')
      starts.push({ kind, line, titleEnd: title.end, head, optional, boxes: [box], box: index, limit });
  }
  for (const { heading, head, end, boxes: held } of headingTasks) {
    const line = headings[heading]?.line ?? 0;
    const own = held.flatMap((index) => boxes[index] ?? []);
    const common = { kind: 'task', line, titleEnd: line + 1, head, optional: head.starred } as const;
    starts.push({ ...common, boxes: own, box: undefined, limit: end });
  }
  return headingTasks.length === 0 ? starts : starts.sort((left, right) => left.line - right.line);
}

/** A heading that is a task is no phase, nor are those in its section. */
function headingsOutside({ headings, headingTasks }: RoledItems): RoledItems['headings'] {
  let next = 0;
  return headings.filter((heading, index) => {
    while ((headingTasks[next]?.end ?? Number.POSITIVE_INFINITY) <= heading.line) next++;
    return (headingTasks[next]?.heading ?? Number.POSITIVE_INFINITY) > index;
  });
}

function phaseOf(phases: Phases, line: number): string | undefined {
  const above = phaseAbove(phases, line);
  return above < 0 ? undefined : phaseTitle(phases, above, line);
}

function itemEnd(
  source: Source,
  start: Pick<BlockStart, 'titleEnd' | 'boxes'>,
  { stop, boxLines }: { readonly stop: number; readonly boxLines: ReadonlySet<number> },
): number {
  const indent = start.boxes[0]?.indent ?? 0;
  let afterBlank = false;
  for (let line = start.titleEnd; line < stop; line++) {
    const kind = source.kinds[line];
    if (kind === 'wrapper') return line;
    if (kind !== 'text' && kind !== 'fence-open') continue;
    if (isBlankLine(source.lines, line)) {
      afterBlank = true;
      continue;
    }
    const isDetail = !afterBlank && isListItem(source, line, indent) && !boxLines.has(line);
    if (indentOf(source.lines, line) <= indent && !isDetail) return line;
    afterBlank = false;
  }
  return stop;
}

/** A list item in the column of the task, as Kiro writes the details of checkpoints. */
function isListItem({ lines }: Source, line: number, indent: number): boolean {
  const ink = firstInk(lines, line);
  return (
    indentOf(lines, line) === indent &&
    afterListMark(lines.text, ink) !== undefined &&
    !isRule(lines.text, ink, endOf(lines, line))
  );
}

/** Leaves out blank lines, and rules of a section, at the end of a block. */
function trimmed({ lines, kinds }: Source, line: number, stop: number): number {
  let end = stop;
  while (end > line + 1 && kinds[end - 1] !== 'fence-close' && isFiller(end - 1)) end--;
  return end;

  function isFiller(at: number): boolean {
    if (kinds[at] === 'wrapper' || isBlankLine(lines, at)) return true;
    return (
      kinds[at] === 'text' && indentOf(lines, at) === 0 && isRule(lines.text, firstInk(lines, at), endOf(lines, at))
    );
  }
}
