import { changedParts } from '../data/same-task.ts';
import type { BoxState, Group, Plan, Task } from '../data/task.ts';
import { withLineFeeds } from '../read/lines.ts';
import type { PlanReader } from '../read/reader.ts';

/** What differs between two readings of a plan. All sentences end with a full stop. */
export interface PlanChanges {
  /** What no one may do while an agent runs (R-VER-3). */
  readonly violations: readonly string[];
  /** New open tasks. */
  readonly newTasks: readonly Task[];
  /** Keys of tasks that may be ticked and now are. */
  readonly ownTicked: readonly string[];
}

const BOX = /\[[ xX~-]\]/g;
const TITLE_CHARS_MAX = 60;

/** What may change, and how plans are read. */
interface PlanComparison {
  /** Keys of the tasks whose boxes may change. */
  readonly own: ReadonlySet<string>;
  /** Keys of the open tasks whose blocks may have got more text: all of them when it is not given. */
  readonly growing?: ReadonlySet<string> | undefined;
  readonly reader: PlanReader;
}

/** Compares two plans task by task (R-VER-3). */
export function comparePlans(before: Plan, after: Plan, { own, growing, reader }: PlanComparison): PlanChanges {
  const violations: string[] = [];
  const ownTicked: string[] = [];
  const found = new Map(after.tasks.map((task) => [task.key, task]));
  let last = -1;
  for (const task of before.tasks) {
    const now = found.get(task.key);
    if (now === undefined) {
      violations.push(`Task ${task.key} was removed.`);
      continue;
    }
    if (now.index < last) violations.push(`Task ${task.key} was moved.`);
    last = Math.max(last, now.index);
    const isOwn = own.has(task.key);
    if (isOwn && now.checked && !task.checked) ownTicked.push(task.key);
    if (!isOwn && now.state !== task.state) violations.push(`Task ${task.key} was ${stateWords(now.state)}.`);
    const changes = textChanges(task, now, isOwn);
    violations.push(...changes);
    if (changes.length === 0 && growing?.has(task.key) === false && !task.checked && hasGrown(task, now))
      violations.push(`Text was added to task ${task.key}.`);
  }
  const known = new Set(before.tasks.map((task) => task.key));
  const added = after.tasks.filter((task) => !known.has(task.key));
  for (const task of added) if (task.checked) violations.push(`Task ${task.key} is new and already ticked.`);
  violations.push(
    ...groupChanges(before, after, own),
    ...looseChanges(reader.looseBoxes(before), reader.looseBoxes(after)),
  );
  return { violations, newTasks: added.filter((task) => !task.checked), ownTicked };
}

function stateWords(state: BoxState): string {
  switch (state) {
    case 'done':
      return 'ticked';
    case 'open':
      return 'unticked';
    case 'in-progress':
    case 'blocked':
      return `marked as ${state}`;
  }
}

/** A changed field, or changed text in the block; added lines that leave the fields alone are no violation. */
function textChanges(task: Task, now: Task, isOwn: boolean): readonly string[] {
  if (task.block === now.block && task.phase === now.phase) return [];
  const plain = isOwn ? withoutTicks : (same: Task): Task => same;
  const parts = changedParts(plain(task), plain(now));
  if (parts.length > 0) return parts.map((part) => `The ${part} of task ${task.key} was changed.`);
  return holdsLines(now.block, task.block) ? [] : [`The text of task ${task.key} was changed.`];
}

/** Whether more than blank lines came into the block: it would be in the prompt of this task (R-SEC-1). */
function hasGrown(task: Task, now: Task): boolean {
  const filled = ({ block }: Task): number => plainLines(block).filter((line) => line !== '').length;
  return filled(now) > filled(task);
}

/** The boxes of a checklist in an agent's own task are its own too. */
function withoutTicks(task: Task): Task {
  const plain = (text: string): string => text.replace(BOX, '[ ]');
  return {
    ...task,
    ...(task.steps === undefined ? {} : { steps: plain(task.steps) }),
    ...(task.doneWhen === undefined ? {} : { doneWhen: plain(task.doneWhen) }),
    ...(task.verifyText === undefined ? {} : { verifyText: plain(task.verifyText) }),
  };
}

/** Whether all lines of `part` are in `whole`, in their order; boxes and trailing blanks are compared by other rules. */
function holdsLines(whole: string, part: string): boolean {
  const wanted = plainLines(part);
  let next = 0;
  for (const line of plainLines(whole)) if (next < wanted.length && line === wanted[next]) next++;
  return next === wanted.length;
}

/** Lines as they are compared: without the state of boxes, line breaks and trailing blanks. */
export function plainLines(text: string): readonly string[] {
  return withLineFeeds(text)
    .split('\n')
    .map((line) => line.replace(BOX, '[ ]').trimEnd());
}

function groupChanges(before: Plan, after: Plan, own: ReadonlySet<string>): readonly string[] {
  const violations: string[] = [];
  for (const [group, now] of matchGroups(before, after)) {
    const name = group.id ?? `"${shortened(group.title)}"`;
    if (now === undefined) violations.push(`The group ${name} was removed or changed.`);
    else if (now.state !== group.state && !holdsOwn(before, group, own))
      violations.push(`The group ${name} was ${stateWords(now.state)}.`);
  }
  return violations;
}

/** The groups of `before`, each with its counterpart. */
export function matchGroups(before: Plan, after: Plan): readonly (readonly [Group, Group | undefined])[] {
  const found = new Map<string, Group[]>();
  for (const group of after.groups) {
    const same = found.get(nameOf(group));
    if (same === undefined) found.set(nameOf(group), [group]);
    else same.push(group);
  }
  return before.groups.map((group) => [group, found.get(nameOf(group))?.shift()] as const);
}

function nameOf(group: Group): string {
  return `${group.id ?? ''} ${group.title}`;
}

/** Whether an own task is in the group: then its box may change too. */
export function holdsOwn(plan: Plan, group: Group, own: ReadonlySet<string>): boolean {
  return group.children.some((index) => own.has(plan.tasks[index]?.key ?? ''));
}

type LooseBoxes = ReturnType<PlanReader['looseBoxes']>;

/** Boxes outside of all tasks, such as completion criteria, that changed. */
function looseChanges(before: LooseBoxes, now: LooseBoxes): readonly string[] {
  const violations: string[] = [];
  for (const [name, state] of before) {
    const changed = now.get(name);
    if (changed !== undefined && changed !== state)
      violations.push(`The box "${shortened(name)}" was ${stateWords(changed)}.`);
  }
  return violations;
}

function shortened(text: string): string {
  return text.length > TITLE_CHARS_MAX ? `${text.slice(0, TITLE_CHARS_MAX)}…` : text;
}
