import { changedParts } from '../data/same-task.ts';
import type { Plan, Problem, Task } from '../data/task.ts';
import type { Edited, InsertPlace } from '../edit/edit.ts';
import { parseForeign } from './parse.ts';
import type { DialectRules } from './rules.ts';

/** A block (LF line breaks, indented as it should be) and where it goes. */
export interface NewBlock {
  readonly place: InsertPlace;
  readonly block: string;
  /** The task whose line breaks it gets. */
  readonly like: Task;
}

const TORN: readonly string[] = ['unclosed-fence', 'unclosed-comment'] satisfies Problem['code'][];

/**
 * Index of the last task that belongs to the block of a task: what is nested in it, and its earlier fixes and theirs, as far
 * as they follow it.
 */
export function lastOfFamily({ tasks }: Plan, original: Task): number {
  const family = new Set([original.id]);
  const edge = columnsOf(original);
  let last = original.index;
  for (const task of tasks.slice(original.index + 1)) {
    const isNested = task.stretch === original.stretch && task.boxes === undefined && columnsOf(task) > edge;
    const isFix = task.fixes !== undefined && family.has(task.fixes);
    if (!isNested && !isFix) break;
    if (isFix) family.add(task.id);
    last = task.index;
  }
  return last;
}

function columnsOf({ block }: Task): number {
  return /^[ \t]*/.exec(block)?.[0].replaceAll('\t', '    ').length ?? 0;
}

/**
 * Inserts a task and reads the result; refused unless the new plan is the old one and exactly this open task, and the old
 * text the new one without one contiguous piece (R-DIA-6, R-PARSE-3).
 */
export function insertForeign(plan: Plan, { place, block, like }: NewBlock, rules: DialectRules): Edited {
  const neighbour = plan.tasks['after' in place ? place.after : place.before];
  if (neighbour === undefined) return { ok: false, reason: 'The plan has no task where the text is to be inserted.' };
  const eol = breakOf(plan, like);
  const lines = block.replaceAll('\n', eol);
  const text =
    'after' in place ? textAfter(plan, neighbour, { lines, eol }) : textBefore(plan, neighbour, { lines, eol });
  const edited = parseForeign(text, rules);
  const index = 'after' in place ? place.after + 1 : place.before;
  const reason = whyOther(plan, edited, { index, block });
  return reason === undefined ? { ok: true, text, plan: edited } : { ok: false, reason };
}

/** The line break of the line that holds the task's box; of a last line without one, that of the file. */
function breakOf({ text, eol }: Plan, { box }: Task): string {
  const end = text.indexOf('\n', box.offset);
  if (end < 0) return eol;
  return text[end - 1] === '\r' ? '\r\n' : '\n';
}

interface Piece {
  readonly lines: string;
  readonly eol: string;
}

function textAfter(plan: Plan, above: Task, { lines, eol }: Piece): string {
  const head = plan.text.slice(0, above.span.end);
  const rest = plan.text.slice(above.span.end);
  const next = nextStart(plan, above);
  const isApart =
    next === undefined
      ? isApartFrom(plan, plan.tasks[above.index - 1], above)
      : hasBlank(plan.text.slice(above.span.end, next));
  const blank = isApart ? eol : '';
  const isTorn = !head.endsWith('\n');
  const touches = next === above.span.end;
  return `${head}${isTorn ? eol : ''}${blank}${lines}${isTorn && rest === '' ? '' : eol}${touches ? blank : ''}${rest}`;
}

function textBefore(plan: Plan, below: Task, { lines, eol }: Piece): string {
  const before = plan.tasks[below.index - 1];
  const isApart =
    before !== undefined && isSameSection(plan, before, below)
      ? isApartFrom(plan, before, below)
      : isApartFrom(plan, below, plan.tasks[below.index + 1]);
  const { start } = below.span;
  return `${plan.text.slice(0, start)}${lines}${eol}${isApart ? eol : ''}${plan.text.slice(start)}`;
}

/** Where the next task or group of the same section begins. */
function nextStart(plan: Plan, above: Task): number | undefined {
  const starts = [
    ...plan.tasks.slice(above.index + 1, above.index + 2).map(({ span }) => span.start),
    ...plan.groups.map(({ box }) => plan.text.lastIndexOf('\n', box.offset) + 1),
  ].filter((start) => start >= above.span.end);
  const next = starts.length === 0 ? undefined : Math.min(...starts);
  return next === undefined || /^ {0,3}#{1,6}[ \t]/m.test(plan.text.slice(above.span.end, next)) ? undefined : next;
}

function isSameSection(plan: Plan, above: Task, below: Task): boolean {
  return !/^ {0,3}#{1,6}[ \t]/m.test(plan.text.slice(above.span.end, below.span.start));
}

function isApartFrom(plan: Plan, above: Task | undefined, below: Task | undefined): boolean {
  if (above === undefined || below === undefined || !isSameSection(plan, above, below)) return false;
  return hasBlank(plan.text.slice(above.span.end, below.span.start));
}

function hasBlank(text: string): boolean {
  return /^[ \t]*\r?$/m.test(text.replace(/\n$/, '')) && text !== '';
}

/** Why a plan is not the old one and exactly this open task at `index`. */
function whyOther(
  before: Plan,
  after: Plan,
  wanted: { readonly index: number; readonly block: string },
): string | undefined {
  const added = after.tasks[wanted.index];
  if (after.tasks.length !== before.tasks.length + 1 || added === undefined)
    return `The text must hold exactly one task, but with it the plan has ${after.tasks.length} instead of ${before.tasks.length + 1}.`;
  if (added.block.replaceAll('\r\n', '\n') !== wanted.block)
    return 'The inserted text is read as another task than the one that was written.';
  if (added.checked) return `Task ${added.id} is already ticked.`;
  if (before.tasks.some(({ id }) => id === added.id)) return `The id ${added.id} already exists.`;
  const changed = before.tasks.find((task) => {
    const now = after.tasks[task.index < wanted.index ? task.index : task.index + 1];
    return now === undefined || now.id !== task.id || now.block !== task.block || changedParts(task, now).length > 0;
  });
  if (changed !== undefined) return `The text would change task ${changed.id}.`;
  const torn = ({ problems }: Plan): number => problems.filter(({ code }) => TORN.includes(code)).length;
  if (torn(after) > torn(before)) return 'The text leaves a code fence or a comment open.';
  return after.groups.length === before.groups.length ? undefined : 'The text would change a group of tasks.';
}
