import { readFields, type Source } from './fields.ts';
import { type Head, readHead } from './head.ts';
import type { Box, Heading, Outline } from './outline.ts';

/** What a box is: a task, a box that only holds tasks, or text with a box that is neither (R-READ-7, R-READ-8). */
export type BoxRole = 'task' | 'group' | 'checklist' | 'criterion';

/** A heading that is a task, with the boxes below it as its checklist (R-READ-8). */
export interface HeadingTask {
  /** Index of the heading. */
  readonly heading: number;
  readonly head: Head;
  /** The line after its section. */
  readonly end: number;
  /** Indices of its boxes, at least one. */
  readonly boxes: readonly number[];
}

/** Who is who in an outline. */
export interface Roles {
  /** For each box of the outline. */
  readonly roles: readonly BoxRole[];
  readonly headingTasks: readonly HeadingTask[];
  /** Headings that are written like tasks, but have no box to tick. */
  readonly boxless: readonly Heading[];
}

const TASK_HEADING = /^[^\p{L}\p{N}[(*]{0,12}(?:\*\*|__)?(?:\[[^\]\n]{1,40}\][ \t]*){0,3}task[ \t]+[T\d]/iu;

/** Decides for every box whether it is a task (R-READ-7, R-READ-8). */
export function readRoles(source: Source, outline: Outline): Roles {
  const { boxes } = outline;
  const holdsIds = boxesThatHoldIds(boxes);
  const found = findHeadingTasks(source, outline);
  const owned = new Set(found.headingTasks.flatMap((task) => task.boxes));
  const hasIds = found.headingTasks.length > 0 || boxes.some(hasNumber);
  const sections = new Set(boxes.filter((box) => box.head.id !== undefined).map((box) => box.section));
  const roles: BoxRole[] = [];
  for (const [index, box] of boxes.entries()) {
    if (owned.has(index)) roles.push('checklist');
    else if (box.head.id !== undefined) roles.push(isGroup(source, boxes, { index, holdsIds }) ? 'group' : 'task');
    else roles.push(holdsIds.has(index) ? 'group' : roleWithoutId(box, roles, { hasIds, sections }));
  }
  return { ...found, roles };
}

/** Fix tasks do not count: one of them must not turn a plain checklist into criteria. */
function hasNumber(box: Box): boolean {
  return box.head.id !== undefined && box.head.fixes === undefined;
}

/** A box without an id that holds none either. */
function roleWithoutId(
  box: Box,
  roles: readonly BoxRole[],
  file: { readonly hasIds: boolean; readonly sections: ReadonlySet<number | undefined> },
): BoxRole {
  const parent = box.parent === undefined ? undefined : roles[box.parent];
  if (parent === 'criterion') return 'criterion';
  if (parent === 'task' || parent === 'checklist') return 'checklist';
  return !file.hasIds || file.sections.has(box.section) ? 'task' : 'criterion';
}

/** Boxes with a box inside that has an id of its own; a fix task makes no group of the task it repairs. */
function boxesThatHoldIds(boxes: readonly Box[]): ReadonlySet<number> {
  const holders = new Set<number>();
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index];
    if (box?.parent === undefined) continue;
    if (hasNumber(box) || holders.has(index)) holders.add(box.parent);
  }
  return holders;
}

/** A box with an id is a group if it holds boxes with ids and no fields of its own, or is a bare major before its minors. */
function isGroup(
  source: Source,
  boxes: readonly Box[],
  at: { readonly index: number; readonly holdsIds: ReadonlySet<number> },
): boolean {
  const box = boxes[at.index];
  const next = boxes[at.index + 1];
  if (box?.head.id === undefined || next === undefined) return false;
  if (at.holdsIds.has(at.index)) return !hasOwnFields(source, box, next);
  if (box.hasBody || next.head.fixes !== undefined || !/^\d/.test(box.head.id)) return false;
  return next.head.id?.startsWith(`${box.head.id}.`) ?? false;
}

function hasOwnFields(source: Source, box: Box, next: Box): boolean {
  const fields = readFields(source, box.line + 1, next.line);
  return [fields.do, fields.verify, fields.doneWhen, fields.commit].some((field) => field !== undefined);
}

/** Headings, and boxes of which only the id counts. */
interface HeadingsAndBoxes {
  readonly headings: readonly Heading[];
  readonly boxes: readonly { readonly line: number; readonly head: Head }[];
}

/** `### Task 3: title` is a task when it has boxes and none of them has an id (R-READ-8). */
export function findHeadingTasks(
  source: Source,
  outline: HeadingsAndBoxes,
): { headingTasks: HeadingTask[]; boxless: Heading[] } {
  const headingTasks: HeadingTask[] = [];
  const boxless: Heading[] = [];
  const ends = sectionEnds(outline.headings, source.lines.count);
  let box = 0;
  for (const [index, heading] of outline.headings.entries()) {
    const head = headingHead(heading.text);
    if (head === undefined) continue;
    const end = ends[index] ?? source.lines.count;
    while ((outline.boxes[box]?.line ?? Number.POSITIVE_INFINITY) < heading.line) box++;
    const boxes: number[] = [];
    for (let at = box; (outline.boxes[at]?.line ?? Number.POSITIVE_INFINITY) < end; at++) boxes.push(at);
    if (boxes.length === 0) boxless.push(heading);
    else if (boxes.every((at) => outline.boxes[at]?.head.id === undefined))
      headingTasks.push({ heading: index, head, end, boxes });
  }
  return { headingTasks, boxless };
}

/** For each heading the line after its section: the next heading of its level or above, or the next task heading. */
function sectionEnds(headings: readonly Heading[], count: number): readonly number[] {
  const ends: number[] = new Array<number>(headings.length).fill(count);
  const nextOfLevel: number[] = new Array<number>(7).fill(count);
  for (let index = headings.length - 1; index >= 0; index--) {
    const heading = headings[index];
    if (heading === undefined) continue;
    ends[index] = Math.min(...nextOfLevel.slice(1, heading.level + 1), nextOfLevel[0] ?? count);
    nextOfLevel[heading.level] = heading.line;
    if (headingHead(heading.text) !== undefined) nextOfLevel[0] = heading.line;
  }
  return ends;
}

/** The head of a task heading: `Task`, an id, and a colon, dot or dash, with markers on either side. */
function headingHead(text: string): Head | undefined {
  if (!TASK_HEADING.test(text)) return undefined;
  const plain = text.replace(/^[^\p{L}\p{N}[(*]{0,12}/u, '');
  const head = readHead(/^task[ \t]+\S+$/i.test(plain) && !plain.endsWith(':') ? `${plain}:` : plain);
  return head.id === undefined ? undefined : head;
}
