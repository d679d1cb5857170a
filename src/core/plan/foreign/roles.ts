import type { Source } from '../read/fields.ts';
import { type Head, type IdForm, readHead } from '../read/head.ts';
import { isBlankLine } from '../read/lines.ts';
import { isPhaseHeading } from '../read/phases.ts';
import { findHeadingTasks, type HeadingTask } from '../read/roles.ts';
import { type BoxItem, headingsBelow, type Items, namesCriteria, wordsOf } from './items.ts';
import type { DialectRules } from './rules.ts';
import { readTitle, type Title } from './title.ts';

/** What a box is: a task, a group of tasks, an item of a task's checklist, or a criterion, which no one is to do. */
export type ItemRole = 'task' | 'group' | 'checklist' | 'criterion';

/** A box with its head and what it is. */
export interface RoledBox extends BoxItem {
  readonly title: Title;
  readonly head: Head;
  readonly role: ItemRole;
  /** Starred, in a starred group, below a heading for optional things, or struck through. */
  readonly optional: boolean;
  /** Its box or id is starred. */
  readonly isStarred: boolean;
}

/** All boxes of a file with what they are, and the headings that are tasks. */
export interface RoledItems {
  readonly headings: Items['headings'];
  readonly boxes: readonly RoledBox[];
  readonly headingTasks: readonly HeadingTask[];
}

/** A box while its role is found. */
type Draft = Omit<RoledBox, 'role' | 'optional'> & { role: ItemRole | undefined; optional: boolean };

const OPTIONAL =
  /^(?:optional|future|deferred|nice[ -]to[ -]have|out of scope|stretch|backlog|icebox|won['’]t do)(?![\p{L}\p{N}])/iu;
const STRUCK = /^~~(?:(?!~~).)+~~$/s;

/** Decides for every box what it is (R-READ-7, R-READ-8, R-DIA-4). */
export function readItemRoles(source: Source, items: Items, rules: DialectRules): RoledItems {
  const boxes = withHeads(source, items, rules);
  const owned =
    rules.ids === 'majority' ? [] : findHeadingTasks(source, { headings: items.headings, boxes }).headingTasks;
  const inHeadings = new Set(owned.flatMap((task) => task.boxes));
  markGroups(source, boxes, { rules, inHeadings });
  const criteria = headingsBelow(items.headings, namesCriteria);
  const hasIds = owned.length > 0 || boxes.some(({ head }) => head.id !== undefined);
  const sections = new Set(boxes.filter(({ head }) => head.id !== undefined).map(({ section }) => section));
  for (const [index, box] of boxes.entries()) {
    if (box.role !== undefined) continue;
    const parent = box.parent === undefined ? undefined : boxes[box.parent]?.role;
    const isLoose = (): boolean =>
      !hasIds ||
      rules.looseTasks === 'anywhere' ||
      sections.has(box.section) ||
      (rules.looseTasks === 'in-section-or-phase' && isPhaseHeading(items.headings[box.section ?? -1]));
    if (inHeadings.has(index)) box.role = 'checklist';
    else if (parent === 'task' || parent === 'checklist') box.role = 'checklist';
    else if (parent === 'criterion' || box.isBelowCriteria || (criteria[box.section ?? -1] ?? false))
      box.role = 'criterion';
    else box.role = isLoose() ? 'task' : 'criterion';
  }
  return { headings: items.headings, boxes: boxes.filter(hasRole), headingTasks: owned };
}

/** By now every box has one. */
function hasRole(box: Draft): box is Draft & RoledBox {
  return box.role !== undefined;
}

function withHeads(source: Source, items: Items, { ids }: DialectRules): Draft[] {
  const optional = headingsBelow(items.headings, (text) => OPTIONAL.test(wordsOf(text)));
  const titles = items.boxes.map((box) => readTitle(source, box));
  const form = ids === 'majority' ? formOfMost(items.boxes, titles) : ids;
  const boxes = items.boxes.map((box, index) => draft(box, titles[index] as Title, form));
  for (const box of boxes) {
    const isBelowOptional = box.head.id === undefined && (optional[box.section ?? -1] ?? false);
    box.optional = box.isStarred || isBelowOptional || STRUCK.test(box.head.title);
  }
  return boxes;
}

/** Words that look like ids are some only if most of the outer boxes have one. */
function formOfMost(boxes: readonly BoxItem[], titles: readonly Title[]): IdForm {
  const outer = titles.filter((_, index) => boxes[index]?.parent === undefined);
  const numbered = outer.filter(({ text }) => readHead(text, 'any').id !== undefined).length;
  return 2 * numbered <= outer.length ? 'none' : 'any';
}

function draft(box: BoxItem, title: Title, ids: IdForm): Draft {
  const head = readHead(title.text, ids);
  return { ...box, title, head, isStarred: box.starred || head.starred, role: undefined, optional: false };
}

/** Which boxes with ids are groups and which are tasks; what is in an optional group is optional (R-READ-7). */
function markGroups(
  source: Source,
  boxes: Draft[],
  { rules, inHeadings }: { readonly rules: DialectRules; readonly inHeadings: ReadonlySet<number> },
): void {
  const children = rules.hasGroups ? subTasks(source, boxes) : new Map<number, readonly number[]>();
  for (const [index, box] of boxes.entries()) {
    const held = children.get(index);
    if (held !== undefined && box.optional) for (const child of held) (boxes[child] as Draft).optional = true;
  }
  for (const [index, box] of boxes.entries()) {
    const held = children.get(index);
    const isWork =
      rules.worksInParents &&
      box.head.id !== undefined &&
      !box.optional &&
      held?.every((child) => boxes[child]?.optional);
    if (held !== undefined && !isWork) box.role = 'group';
    else if (box.head.id !== undefined && !inHeadings.has(index) && (rules.hasGroups || box.parent === undefined))
      box.role = 'task';
  }
}

/** For each box that holds others with ids: those nested in it at any depth, or numbered below it in the same column. */
export function subTasks(
  source: Source,
  boxes: readonly Omit<RoledBox, 'role' | 'optional'>[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const add = (parent: number, child: number): void => {
    const held = found.get(parent);
    if (held === undefined) found.set(parent, [child]);
    else held.push(child);
  };
  for (const [index, box] of boxes.entries()) {
    if (box.head.id === undefined || box.head.fixes !== undefined) continue;
    for (let parent = box.parent; parent !== undefined; parent = boxes[parent]?.parent) add(parent, index);
  }
  for (const [index, box] of boxes.entries()) {
    const { id } = box.head;
    const next = boxes[index + 1];
    if (id === undefined || found.has(index) || next === undefined || !/^\d/.test(id)) continue;
    if (!next.head.id?.startsWith(`${id}.`) || hasDetails(source, box, next.line)) continue;
    for (let at = index + 1; boxes[at] !== undefined && isBelow(boxes[at]?.head.id, id); at++)
      if (boxes[at]?.head.id !== undefined) add(index, at);
  }
  return found;
}

/** Whether a box is numbered below an id, or has no id and so ends nothing. */
function isBelow(id: string | undefined, above: string): boolean {
  return id === undefined || id.startsWith(`${above}.`);
}

function hasDetails({ lines, kinds }: Source, { title }: Pick<RoledBox, 'title'>, to: number): boolean {
  for (let line = title.end; line < to; line++) if (kinds[line] !== 'text' || !isBlankLine(lines, line)) return true;
  return false;
}
