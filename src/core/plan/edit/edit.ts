import { changedParts } from '../data/same-task.ts';
import type { Group, Plan, Task } from '../data/task.ts';
import { parsePlan } from '../read/parse.ts';

/** What an edit made of a plan, or why it was not made; then nothing is changed. */
export type Edited =
  | { readonly ok: true; readonly text: string; readonly plan: Plan }
  | { readonly ok: false; readonly reason: string };

/** A task by position and id together (R-PARSE-4). */
export interface TaskAddress {
  readonly index: number;
  readonly id: string;
}

/** Where a new block goes: right after or right before the task at this index. */
export type InsertPlace = { readonly after: number } | { readonly before: number };

const BOX_MARKS = ' xX~-';
/** How many pairs of neighbours are looked at for the blank line between them. */
const PAIRS_LOOKED_AT = 20;

/**
 * Ticks a task: one character, or one for each box of a heading that is a task, and the box of a group when this was its
 * last required task (R-PARSE-3, R-READ-7). The mark is the file's own, `x` or `X` (R-DIA-2). The plan is brought up to date
 * without reading the text again (save for such a heading), so a tick costs about a copy of the text. A task that is ticked
 * already stays as it is.
 */
export function tick(plan: Plan, address: TaskAddress): Edited {
  return setBox(plan, address, doneMark(plan));
}

/** Opens the box of a task again, and that of every group that holds it. */
export function untick(plan: Plan, address: TaskAddress): Edited {
  return setBox(plan, address, ' ');
}

function setBox(plan: Plan, address: TaskAddress, mark: ' ' | 'x' | 'X'): Edited {
  const task = plan.tasks[address.index];
  const moved = whyNotThere(plan, task, address);
  if (task === undefined || moved !== undefined) return { ok: false, reason: moved ?? '' };
  const done = mark !== ' ';
  const offsets = (task.boxes ?? [task.box.offset]).filter((offset) => isDone(plan.text, offset) !== done);
  if (offsets.length === 0 && (done || !task.checked)) return { ok: true, text: plan.text, plan };
  const groups = plan.groups.map((group) => settle(plan, group, { index: task.index, done }));
  for (const [at, group] of groups.entries()) if (group !== plan.groups[at]) offsets.push(group.box.offset);
  const text = withMarks(plan.text, offsets, mark);
  if (task.boxes !== undefined) return { ok: true, text, plan: parsePlan(text) };
  const state = done ? 'done' : 'open';
  // Taken from the old block: a piece of the new text would keep all of it in memory, once for every task that is ticked.
  const block = withMarks(
    task.block,
    offsets.filter((offset) => offset === task.box.offset).map((offset) => offset - task.span.start),
    mark,
  );
  const tasks = plan.tasks.with(task.index, { ...task, state, checked: done, block });
  return { ok: true, text, plan: { ...plan, text, tasks, groups } };
}

function whyNotThere(plan: Plan, task: Task | undefined, address: TaskAddress): string | undefined {
  if (task === undefined) return `The plan has no task at position ${address.index}; task ${address.id} was removed.`;
  if (task.id !== address.id)
    return `Task ${address.id} is no longer at position ${address.index}; ${task.id} is there.`;
  const isBox = (offset: number): boolean =>
    plan.text[offset - 1] === '[' && plan.text[offset + 1] === ']' && BOX_MARKS.includes(plan.text[offset] ?? '?');
  if ((task.boxes ?? [task.box.offset]).every(isBox)) return undefined;
  return `The box of task ${address.id} is no longer on line ${task.box.line}.`;
}

/** A tick can only complete a group, and opening a task can only open one; a group someone ticked early stays as it is. */
function settle(plan: Plan, group: Group, change: { readonly index: number; readonly done: boolean }): Group {
  if (!group.children.includes(change.index) || change.done === (group.state === 'done')) return group;
  const required = group.children.filter((index) => plan.tasks[index]?.optional === false);
  const counted = required.length > 0 ? required : group.children;
  const isChecked = (index: number): boolean =>
    index === change.index ? change.done : (plan.tasks[index]?.checked ?? false);
  return counted.every(isChecked) === change.done ? { ...group, state: change.done ? 'done' : 'open' } : group;
}

function isDone(text: string, offset: number): boolean {
  return text[offset] === 'x' || text[offset] === 'X';
}

/** The mark of the first task that is done; without one, the mark that the tool of this dialect writes. */
function doneMark(plan: Plan): 'x' | 'X' {
  const done = plan.tasks.find((task) => task.checked);
  if (done === undefined) return 'x';
  return plan.text[done.box.offset] === 'X' ? 'X' : 'x';
}

function withMarks(text: string, offsets: readonly number[], mark: string): string {
  let marked = '';
  let from = 0;
  for (const offset of [...offsets].sort((left, right) => left - right)) {
    marked += text.slice(from, offset) + mark;
    from = offset + 1;
  }
  return marked + text.slice(from);
}

/**
 * Inserts the block of a new task (text with LF line breaks, indented as it should be) and reads the result. It is
 * refused unless the new plan has exactly the old tasks, unchanged, and one new open task at the place asked for. All
 * other bytes stay as they are (R-FILE-5); the block gets the file's line breaks, and a blank line between it and its
 * neighbours if the file separates tasks so.
 */
export function insertBlock(plan: Plan, place: InsertPlace, blockText: string): Edited {
  const neighbour = plan.tasks['after' in place ? place.after : place.before];
  if (neighbour === undefined) return { ok: false, reason: 'The plan has no task where the text is to be inserted.' };
  const block = blockText.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  const text = splice(plan, { place, neighbour, block: block.replaceAll('\n', plan.eol) });
  const index = 'after' in place ? place.after + 1 : place.before;
  const edited = parsePlan(text);
  const reason = whyNotInserted(plan, edited, { index, block });
  return reason === undefined ? { ok: true, text, plan: edited } : { ok: false, reason };
}

interface Insertion {
  readonly place: InsertPlace;
  readonly neighbour: Task;
  /** With the file's line breaks. */
  readonly block: string;
}

function splice(plan: Plan, { place, neighbour, block }: Insertion): string {
  const { text, eol } = plan;
  const blank = separatesTasks(plan, neighbour.index, block) ? eol : '';
  const at = 'after' in place ? neighbour.span.end : neighbour.span.start;
  const head = text.slice(0, at);
  const rest = text.slice(at);
  if ('before' in place) return `${head}${block}${eol}${blank}${rest}`;
  const isTorn = !head.endsWith('\n');
  const tail = isTorn && rest === '' ? '' : eol;
  const gap = rest === '' || /^[ \t]*\r?(?:\n|$)/.test(rest.slice(0, 1_000)) ? '' : blank;
  return `${head}${isTorn ? eol : ''}${blank}${block}${tail}${gap}${rest}`;
}

/** Whether a blank line is between tasks, judged by the neighbours, then by others, then by the new block. */
function separatesTasks(plan: Plan, index: number, block: string): boolean {
  for (let distance = 0; distance < PAIRS_LOOKED_AT; distance++) {
    for (const at of [index + distance, index - distance - 1]) {
      const left = plan.tasks[at];
      const right = plan.tasks[at + 1];
      if (left === undefined || right === undefined || right.span.start < left.span.end) continue;
      const between = plan.text.slice(left.span.end, right.span.start);
      if (between.trim() === '') return between !== '';
    }
  }
  return block.includes('\n');
}

/** Why a plan is not the old one and exactly one new open task at `index`. */
export function whyNotInserted(
  before: Plan,
  after: Plan,
  wanted: { readonly index: number; readonly block: string },
): string | undefined {
  const added = after.tasks[wanted.index];
  if (after.tasks.length !== before.tasks.length + 1 || added === undefined) {
    return `The text must hold exactly one task, but with it the plan has ${after.tasks.length} instead of ${before.tasks.length + 1}.`;
  }
  if (added.block.replaceAll('\r\n', '\n') !== wanted.block)
    return 'The inserted text is read as another task than the one that was written.';
  if (added.checked) return `Task ${added.id} is already ticked.`;
  if (before.tasks.some((task) => task.id === added.id)) return `The id ${added.id} already exists.`;
  const changed = before.tasks.find((task) => {
    const now = after.tasks[task.index < wanted.index ? task.index : task.index + 1];
    return now === undefined || now.id !== task.id || now.block !== task.block || changedParts(task, now).length > 0;
  });
  if (changed !== undefined) return `The text would change task ${changed.id}.`;
  if (after.problems.length > before.problems.length) return 'The text leaves a code fence or a comment open.';
  return after.groups.length === before.groups.length ? undefined : 'The text would change a group of tasks.';
}
