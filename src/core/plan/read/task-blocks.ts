import { readFields, type Source } from './fields.ts';
import type { Head } from './head.ts';
import { isRule } from './line-forms.ts';
import { endOf, firstInk } from './lines.ts';
import type { Box, Heading, Outline } from './outline.ts';
import { type Phases, phaseAbove, phaseTitle, readPhases } from './phases.ts';
import type { Roles } from './roles.ts';

/** A task with its body, before its fields are read. */
export interface TaskBlock {
  readonly line: number;
  /** The line after the last one of the block. */
  readonly end: number;
  readonly head: Head;
  readonly optional: boolean;
  readonly phase: string | undefined;
  /** The line after the last one that may hold a field: after blank lines at the end of the block. */
  readonly bodyEnd: number;
  /** Its box, or all boxes of a heading that is a task. */
  readonly boxes: readonly Box[];
  /** Index of the box in the outline; `undefined` for a heading. */
  readonly box: number | undefined;
}

/** Something that begins a task or a group, and so ends the body above it. */
interface Start {
  readonly line: number;
  readonly head: Head;
  readonly box: number | undefined;
  readonly boxes: readonly Box[];
  readonly isTask: boolean;
  readonly limit: number;
}

/** Cuts the file into its tasks, each with body and phase (R-READ-9, R-READ-10). */
export function readTaskBlocks(source: Source, outline: Outline, roles: Roles): readonly TaskBlock[] {
  const starts = findStarts(source, outline, roles);
  const headings = headingsOutsideTasks(outline, roles);
  const phases = readPhases(
    headings,
    starts.filter((start) => start.isTask).map((start) => start.line),
  );
  const blocks: TaskBlock[] = [];
  for (const [index, start] of starts.entries()) {
    if (!start.isTask) continue;
    const above = phaseAbove(phases, start.line);
    const limit = Math.min(
      starts[index + 1]?.line ?? source.lines.count,
      phases.lines[above + 1] ?? source.lines.count,
      start.limit,
    );
    blocks.push(readBody(source, outline, { start, limit, phase: phaseOf(phases, above, start.line) }));
  }
  return blocks;
}

/** A heading that is a task is no phase, nor are those in its section. */
function headingsOutsideTasks(outline: Outline, roles: Roles): readonly Heading[] {
  let next = 0;
  return outline.headings.filter((heading, index) => {
    while ((roles.headingTasks[next]?.end ?? Number.POSITIVE_INFINITY) <= heading.line) next++;
    return (roles.headingTasks[next]?.heading ?? Number.POSITIVE_INFINITY) > index;
  });
}

function phaseOf(phases: Phases, above: number, line: number): string | undefined {
  return above < 0 ? undefined : phaseTitle(phases, above, line);
}

function findStarts(source: Source, outline: Outline, roles: Roles): readonly Start[] {
  const starts: Start[] = [];
  for (const [index, box] of outline.boxes.entries()) {
    const role = roles.roles[index];
    if (role !== 'task' && role !== 'group') continue;
    starts.push({
      line: box.line,
      head: box.head,
      box: index,
      boxes: [box],
      isTask: role === 'task',
      limit: source.lines.count,
    });
  }
  if (roles.headingTasks.length === 0) return starts;
  for (const task of roles.headingTasks) {
    const line = outline.headings[task.heading]?.line ?? 0;
    const boxes = task.boxes.flatMap((index) => outline.boxes[index] ?? []);
    starts.push({ line, head: task.head, box: undefined, boxes, isTask: true, limit: task.end });
  }
  return starts.sort((left, right) => left.line - right.line);
}

/**
 * The body runs to `limit`. After a heading that is no phase it goes on only if a field of the task is there, so
 * that notes and other sections after the last task stay outside of its block.
 */
function readBody(
  source: Source,
  outline: Outline,
  at: { readonly start: Start; readonly limit: number; readonly phase: string | undefined },
): TaskBlock {
  const { start, limit } = at;
  const box = start.boxes[0];
  const heading =
    start.box === undefined ? undefined : outline.headings[box?.section === undefined ? 0 : box.section + 1];
  const cut = Math.min(heading?.line ?? limit, limit);
  const goesOn =
    cut < limit &&
    Object.values(readFields(source, cut, limit)).some((field) => (field?.indent ?? -1) > (box?.indent ?? 0));
  const stop = goesOn ? limit : cut;
  return {
    line: start.line,
    end: trimmedEnd(source, start.line, stop),
    head: start.head,
    optional: start.box === undefined ? start.head.starred : (box?.optional ?? false),
    phase: at.phase,
    bodyEnd: stop,
    boxes: start.boxes,
    box: start.box,
  };
}

/** Leaves out blank lines and rules at the end of a block. */
function trimmedEnd(source: Source, line: number, stop: number): number {
  let end = stop;
  while (end > line + 1 && isFiller(source, end - 1)) end--;
  return end;
}

function isFiller(source: Source, line: number): boolean {
  const kind = source.kinds[line];
  if (kind === 'wrapper') return true;
  if (kind !== 'text') return false;
  const ink = firstInk(source.lines, line);
  const end = endOf(source.lines, line);
  return ink === end || isRule(source.lines.text, ink, end);
}
