import type { Plan, Task } from '../data/task.ts';
import { boxMark } from '../read/line-forms.ts';
import { stateOf } from '../read/outline.ts';
import { nativeReader, type PlanReader } from '../read/reader.ts';
import { boxEnd, boxInside } from './box.ts';
import { diffLines, type Hunk } from './line-diff.ts';
import { comparePlans, holdsOwn, matchGroups, plainLines } from './plan-changes.ts';

/** What someone changed in `tasks.md` while an agent ran, and what must be in it now (R-VER-3). */
export interface Reconciled {
  /** What the file must hold: without what was changed without right, with what was added. */
  readonly text: string;
  readonly plan: Plan;
  /** Sentences about what no one may do in the meantime; any of them rejects the attempt. */
  readonly violations: readonly string[];
  /** Sentences about tasks and text that were added and are kept. */
  readonly additions: readonly string[];
  /** Keys of own tasks that were ticked; their boxes are put back, as the coordinator ticks. */
  readonly ownTicked: readonly string[];
}

export interface ReconcileOptions {
  /** Keys of the tasks whose boxes may change. */
  readonly own: readonly string[];
  /**
   * An agent was at work in this folder, so that text in the block of another open task, which is a prompt to come, is none
   * of its business and a violation.
   */
  readonly isAlone?: boolean;
}

const BYTE_ORDER_MARK = '\uFEFF';
/** With more insertions than this in addition to a violation, none is kept. */
const INSERTIONS_MAX = 20;
const REPORTED_MAX = 10;

/**
 * Compares the plan with the text found after an agent ran (R-VER-3); `undefined` for a file that is gone or cannot be
 * read. Without a violation the new text is kept, own boxes as they were before; with one the old text comes back, and lines
 * that were purely inserted stay where that is safe.
 */
export function reconcile(
  before: Plan,
  afterText: string | undefined,
  options: ReconcileOptions,
  reader: PlanReader = nativeReader,
): Reconciled {
  const unchanged = { text: before.text, plan: before, violations: [], additions: [], ownTicked: [] };
  if (afterText === before.text) return unchanged;
  if (afterText === undefined) return { ...unchanged, violations: ['It was removed or cannot be read.'] };
  if (afterText.trim() === '') return { ...unchanged, violations: ['It was emptied.'] };
  const own = new Set(options.own);
  const growing = options.isAlone ? own : undefined;
  const after = reader.parse(inShapeOf(before, afterText));
  if (after.tasks.length === 0) return { ...unchanged, violations: ['It no longer holds a task.'] };
  const { violations, ownTicked } = comparePlans(before, after, { own, growing, reader });
  const plan =
    violations.length > 0
      ? withInsertions(before, after, { growing, reader })
      : withOwnBoxesBack(before, after, { own, reader });
  return { text: plan.text, plan, violations, additions: additionsOf(before, plan, reader), ownTicked };
}

/** The text with the byte order mark and the line breaks of the plan, if someone's editor changed them. */
function inShapeOf(before: Plan, text: string): string {
  const had = before.text.startsWith(BYTE_ORDER_MARK);
  const bare = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const lineFeeds = before.text.split('\n').length - 1;
  const pairs = before.text.split('\r\n').length - 1;
  if (lineFeeds > 0 && pairs === lineFeeds) return (had ? BYTE_ORDER_MARK : '') + bare.replace(/\r?\n/g, '\r\n');
  return (had ? BYTE_ORDER_MARK : '') + (pairs === 0 ? bare.replaceAll('\r\n', '\n') : bare);
}

/** The new plan with the boxes of own tasks, and of groups that hold one, as they were. */
function withOwnBoxesBack(
  before: Plan,
  after: Plan,
  { own, reader }: { readonly own: ReadonlySet<string>; readonly reader: PlanReader },
): Plan {
  const marks = new Map<number, string>();
  const now = new Map(after.tasks.map((task) => [task.key, task]));
  for (const task of before.tasks) {
    const same = own.has(task.key) ? now.get(task.key) : undefined;
    if (same === undefined) continue;
    const old = boxesOf(task);
    for (const [at, offset] of boxesOf(same).entries()) marks.set(offset, boxInside(before.text, old[at]));
  }
  for (const [group, same] of matchGroups(before, after)) {
    if (same !== undefined && holdsOwn(before, group, own))
      marks.set(same.box.offset, boxInside(before.text, group.box.offset));
  }
  let text = '';
  let from = 0;
  for (const [offset, mark] of [...marks].sort((left, right) => left[0] - right[0])) {
    text += after.text.slice(from, offset) + mark;
    from = boxEnd(after.text, offset);
  }
  text += after.text.slice(from);
  if (text === before.text) return before;
  return text === after.text ? after : reader.parse(text);
}

function boxesOf(task: Task): readonly number[] {
  return task.boxes ?? [task.box.offset];
}

/** How lines that were inserted are taken in. */
interface Merging {
  readonly growing: ReadonlySet<string> | undefined;
  readonly reader: PlanReader;
}

/** The old plan with the lines that were purely inserted, as far as they leave all it says alone. */
function withInsertions(before: Plan, after: Plan, how: Merging): Plan {
  const hunks = diffLines(plainLines(before.text), plainLines(after.text)).filter((hunk) =>
    isSafeInsertion(after, hunk),
  );
  if (hunks.length === 0 || hunks.length > INSERTIONS_MAX) return before;
  const all = merged(before, after, { ...how, hunks });
  if (all !== undefined) return all;
  const kept: Hunk[] = [];
  let plan = before;
  for (const hunk of hunks) {
    const next = merged(before, after, { ...how, hunks: [...kept, hunk] });
    if (next === undefined) continue;
    kept.push(hunk);
    plan = next;
  }
  return plan;
}

function isSafeInsertion(after: Plan, hunk: Hunk): boolean {
  if (hunk.before.from < hunk.before.to) return false;
  const lines = after.text.split('\n').slice(hunk.after.from, hunk.after.to);
  const text = lines.join('\n');
  return (
    !lines.some((line) => stateOf(boxMark(line, 0) ?? ' ') === 'done') &&
    (text.includes('<!--') || !text.includes('-->'))
  );
}

/** The old text with these insertions, if everything old is unchanged in it and it has no new problem, such as an id used twice. */
function merged(
  before: Plan,
  after: Plan,
  { hunks, growing, reader }: Merging & { readonly hunks: readonly Hunk[] },
): Plan | undefined {
  const old = before.text.split('\n');
  const fresh = after.text.split('\n');
  if (hunks.at(-1)?.before.from === old.length && before.eol === '\r\n') old.push(`${old.pop() ?? ''}\r`);
  const parts: string[][] = [];
  let from = 0;
  for (const hunk of hunks) {
    parts.push(old.slice(from, hunk.before.from), fresh.slice(hunk.after.from, hunk.after.to));
    from = hunk.before.from;
  }
  const plan = reader.parse([...parts, old.slice(from)].flat().join('\n'));
  const { violations } = comparePlans(before, plan, { own: new Set(), growing, reader });
  return violations.length === 0 && plan.problems.length <= before.problems.length ? plan : undefined;
}

function additionsOf(before: Plan, plan: Plan, reader: PlanReader): readonly string[] {
  if (plan === before) return [];
  const { newTasks } = comparePlans(before, plan, { own: new Set(), reader });
  const additions = newTasks.map((task) => `Task ${task.id} was added on line ${task.box.line}.`);
  for (const hunk of diffLines(plainLines(before.text), plainLines(plan.text))) {
    const from = hunk.after.from + 1;
    const to = Math.max(from, hunk.after.to);
    if (newTasks.some((task) => task.box.line >= from && task.box.line <= to)) continue;
    additions.push(`Text was changed or added ${from === to ? `on line ${from}` : `on lines ${from} to ${to}`}.`);
  }
  return additions.slice(0, REPORTED_MAX);
}
