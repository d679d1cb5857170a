import type { Plan, Task } from '../data/task.ts';
import type { Edited, InsertPlace } from '../edit/edit.ts';
import {
  type Decision,
  lowerFirst,
  type ModificationRequest,
  originalOf,
  type ProposedTask,
  refused,
  whyRefused,
} from '../edit/modification.ts';
import { withoutCommonIndent } from '../read/fences.ts';
import { insertForeign, lastOfFamily } from './insert.ts';
import { markAfterId, nextIdLike } from './next-id.ts';
import { parseForeign } from './parse.ts';
import type { DialectRules } from './rules.ts';
import { shapeOf } from './shape.ts';

const FIRST_LINE = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\[[^\]]*\](?:\\?\*)?)[ \t]+(.*)$/;

/** Decides on a request (R-MOD-2). Of the fields only a title is asked for; an id that is missing is given (R-DIA-6). */
export function decideForeign(
  plan: Plan,
  request: ModificationRequest,
  { rules, ...limit }: { readonly rules: DialectRules; readonly modificationsSoFar: number; readonly max: number },
): Decision {
  const original = originalOf(plan, request.originalTaskId);
  const why = whyRefused(original, request, limit);
  if (original === undefined || why !== undefined) return refused(why ?? '');
  if (original.boxes !== undefined)
    return refused(`task ${original.id} is a heading, beside which no task can be written`);
  const tasks: ProposedTask[] = [];
  for (const [at, text] of request.proposedTasks.entries()) {
    const found = readProposedForeign(plan, text, { original, rules, more: tasks.map(({ id }) => id) });
    if (typeof found === 'string') return refused(`proposed task ${at + 1} ${found}`);
    tasks.push(found);
  }
  const applied = modifyForeign(plan, request, tasks, rules);
  if (!applied.ok) return refused(lowerFirst(applied.reason).replace(/\.$/, ''));
  const written = new Map(applied.plan.tasks.map((task) => [task.block.replaceAll('\r\n', '\n'), task.id]));
  return { ok: true, tasks: tasks.map(({ block, id }) => ({ block, id: written.get(block) ?? id })) };
}

/** Writes the tasks of a granted request into the plan, all of them or none (R-MOD-3). A plan that holds them stays. */
export function modifyForeign(
  plan: Plan,
  request: Pick<ModificationRequest, 'type' | 'originalTaskId'>,
  tasks: readonly ProposedTask[],
  rules: DialectRules,
): Edited {
  const blocks = new Set(plan.tasks.map(({ block }) => block.replaceAll('\r\n', '\n')));
  if (tasks.every(({ block }) => blocks.has(block))) return { ok: true, text: plan.text, plan };
  const original = originalOf(plan, request.originalTaskId);
  if (original === undefined) return { ok: false, reason: `The plan has no task ${request.originalTaskId}.` };
  const first = request.type === 'ADD_PREREQUISITE' ? original.index : lastOfFamily(plan, original);
  let edited: Edited = { ok: true, text: plan.text, plan };
  for (const [at, { block }] of tasks.entries()) {
    if (!edited.ok) return edited;
    const place: InsertPlace = request.type === 'ADD_PREREQUISITE' ? { before: first + at } : { after: first + at };
    edited = insertForeign(edited.plan, { place, block, like: original }, rules);
  }
  return edited;
}

interface Proposing {
  readonly original: Task;
  readonly rules: DialectRules;
  /** Ids of the tasks that were proposed before. */
  readonly more: readonly string[];
}

/** The task of a proposed block in the form of the file, or what is wrong with it, as the end of a sentence. */
function readProposedForeign(plan: Plan, text: string, { original, rules, more }: Proposing): ProposedTask | string {
  const lines = withoutCommonIndent(text.replaceAll('\r\n', '\n').split('\n'));
  const block = lines.join('\n').replace(/^\n+/, '').trimEnd();
  const proposed = parseForeign(block, {
    ...rules,
    ids: rules.ids === 'majority' && !original.hasOwnId ? 'none' : rules.ids,
  });
  const task = proposed.tasks[0];
  if (task === undefined || task.boxes !== undefined) return 'is not a task';
  if (proposed.tasks.length > 1 || proposed.groups.length > 0) return 'holds more than one task';
  if (task.block !== block) return 'holds text that does not belong to the task';
  const torn = proposed.problems.find(({ code }) => /^unclosed-|^whole-file/.test(code));
  if (torn !== undefined) return `has a flaw on its line ${torn.line}: ${lowerFirst(torn.message).replace(/\.$/, '')}`;
  if (task.checked) return 'is already ticked';
  if (task.fixes !== undefined) return 'is marked as a fix task';
  const why = task.hasOwnId ? whyNoId(plan, task.id, { original, more }) : undefined;
  if (why !== undefined) return why;
  const id = task.hasOwnId ? task.id : nextIdLike(plan, original, more);
  return { id: id ?? task.id, block: inFormOf(original, block, task.hasOwnId ? undefined : id) };
}

/** An id that is given has the form of the original's, is free, and makes no task a parent. */
function whyNoId(plan: Plan, id: string, { original, more }: Omit<Proposing, 'rules'>): string | undefined {
  const taken = new Set<string | null>([...plan.tasks, ...plan.groups].map((entry) => entry.id));
  if (taken.has(id) || more.includes(id)) return `has the id ${id}, which already exists`;
  if (!original.hasOwnId || formOf(id) !== formOf(original.id))
    return `has the id ${id}, which has another form than ${original.hasOwnId ? original.id : 'the tasks of this plan'}`;
  const parent = id.slice(0, Math.max(0, id.lastIndexOf('.')));
  if (plan.tasks.some((task) => task.id === parent))
    return `has the id ${id}, which would make task ${parent} a parent`;
  return undefined;
}

/** Letters at its beginning, and how many dots it has. */
function formOf(id: string): string {
  return `${/^[A-Za-z]*/.exec(id)?.[0]} ${id.split('.').length}`;
}

/** The block with the list mark, the id and the indentation that the file gives such a task. */
function inFormOf(original: Task, block: string, id: string | undefined): string {
  const { indent, bullet, detail } = shapeOf(original);
  const [first = '', ...below] = block.split('\n');
  const [, box = '[ ]', rest = ''] = FIRST_LINE.exec(first) ?? [];
  const number = id === undefined ? '' : `${id}${markAfterId(original)} `;
  const margin = detail.length - 2;
  const least = Math.min(
    ...below.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  const moved = below.map((line) =>
    line.trim() === '' ? '' : detail.slice(0, margin) + line.slice(Number.isFinite(least) ? least : 0),
  );
  return [`${indent}${bullet} ${box} ${number}${rest}`, ...moved].join('\n');
}
