import { MODIFICATION_REQUEST } from '../../answer/signals.ts';
import { jsonAt } from '../../text/json-at.ts';
import type { Plan, Task } from '../data/task.ts';
import { withoutCommonIndent } from '../read/fences.ts';
import { dotsOf } from '../read/ids.ts';
import { lineText, splitLines, startOf } from '../read/lines.ts';
import { parsePlan } from '../read/parse.ts';
import { readVisibility } from '../read/visibility.ts';
import { type Edited, insertBlock } from './edit.ts';

/** What an agent may ask for (R-MOD-1). */
export type ModificationType = 'SPLIT_TASK' | 'ADD_PREREQUISITE' | 'ADD_FOLLOWUP';

/** A request of an agent to change the plan, as it asked (R-MOD-1). */
export interface ModificationRequest {
  readonly type: ModificationType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Blocks as they would be in `tasks.md`. */
  readonly proposedTasks: readonly string[];
}

/** What an agent's final answer asks for. */
export type RequestReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'request'; readonly request: ModificationRequest };

/** A task that a request proposes, ready to be inserted: LF line breaks, no common indentation. */
export interface ProposedTask {
  readonly id: string;
  readonly block: string;
}

/** Whether a request is granted, with its tasks, or why not. */
export type Decision =
  | { readonly ok: true; readonly tasks: readonly ProposedTask[] }
  | { readonly ok: false; readonly reason: string };

const TYPES: readonly string[] = ['SPLIT_TASK', 'ADD_PREREQUISITE', 'ADD_FOLLOWUP'] satisfies ModificationType[];
const DEEPEST_ID = 3;
const PROPOSED_MAX = 20;

/** Finds a modification request in an agent's final answer: the JSON object after the line with the signal, fenced or not (R-MOD-1). */
export function parseModificationRequest(finalAnswer: string): RequestReading {
  const from = afterSignal(finalAnswer);
  if (from === undefined) return { kind: 'none' };
  const start = finalAnswer.indexOf('{', from);
  if (start < 0) return malformed('no JSON object follows TASK_MODIFICATION_REQUEST');
  const value = jsonAt(finalAnswer, start);
  if (value === undefined) return malformed('the text after TASK_MODIFICATION_REQUEST is not valid JSON');
  return readRequest(value);
}

/** Offset after the last signal that is alone on its line, outside of fences and quotes (R-DEL-4). */
function afterSignal(finalAnswer: string): number | undefined {
  if (!finalAnswer.includes(MODIFICATION_REQUEST)) return undefined;
  const lines = splitLines(finalAnswer);
  const { kinds } = readVisibility(lines, { unwrap: false });
  for (let line = lines.count - 1; line >= 0; line--) {
    if (kinds[line] !== 'text') continue;
    const text = lineText(lines, line);
    const at = text.indexOf(MODIFICATION_REQUEST);
    if (at >= 0 && standsAlone(text, at)) return startOf(lines, line) + at + MODIFICATION_REQUEST.length;
  }
  return undefined;
}

/** Emphasis, a code span, a list mark and a colon may be around the signal, and the JSON after it. */
function standsAlone(text: string, at: number): boolean {
  const before = text.slice(0, at).trim();
  const after = text
    .slice(at + MODIFICATION_REQUEST.length)
    .trimStart()
    .slice(0, 8);
  return /^(?:[-*+]|#{1,6})?[ \t]{0,4}[*_`]{0,3}$/.test(before) && /^[*_`]{0,3}:?[*_`]{0,3}[ \t]*(?:$|\{)/.test(after);
}

/** Checks the form of a request that came as data (R-MOD-1). */
export function readRequest(value: Readonly<Record<string, unknown>>): RequestReading {
  const { type, originalTaskId, reasoning, proposedTasks } = value;
  if (!isModificationType(type)) return malformed(`its type must be one of ${TYPES.join(', ')}`);
  if (typeof originalTaskId !== 'string') return malformed('its originalTaskId must be a string');
  if (reasoning !== undefined && typeof reasoning !== 'string') return malformed('its reasoning must be a string');
  if (!isListOfStrings(proposedTasks)) return malformed('its proposedTasks must be a list of strings');
  return { kind: 'request', request: { type, originalTaskId, reasoning: reasoning ?? '', proposedTasks } };
}

function isModificationType(value: unknown): value is ModificationType {
  return typeof value === 'string' && TYPES.includes(value);
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function malformed(reason: string): RequestReading {
  return { kind: 'malformed', reason: `${reason}.` };
}

/**
 * Decides on a request (R-MOD-2). `modificationsSoFar` is how many were granted for the original already, `max` how many
 * may be. Proposed fix tasks are refused too: they would skip layers that check the work (R-VER-8).
 */
export function checkModification(
  plan: Plan,
  request: ModificationRequest,
  limit: { readonly modificationsSoFar: number; readonly max: number },
): Decision {
  const { originalTaskId, proposedTasks } = request;
  const why = whyRefused(originalOf(plan, originalTaskId), request, limit);
  if (why !== undefined) return refused(why);
  const taken = new Set<string | null>([...plan.tasks, ...plan.groups].map((entry) => entry.id));
  const tasks: ProposedTask[] = [];
  for (const [at, text] of proposedTasks.entries()) {
    const found = readProposed(plan, text);
    const which = `proposed task ${at + 1}`;
    if (typeof found === 'string') return refused(`${which} ${found}`);
    if (taken.has(found.id)) return refused(`${which} has the id ${found.id}, which already exists`);
    taken.add(found.id);
    tasks.push(found);
  }
  const applied = applyModification(plan, request, tasks);
  return applied.ok ? { ok: true, tasks } : refused(lowerFirst(applied.reason).replace(/\.$/, ''));
}

/** Why a request is refused whatever it proposes, as the end of a sentence; `undefined` if it is not (R-MOD-2). */
export function whyRefused(
  original: Task | undefined,
  { type, originalTaskId, proposedTasks }: ModificationRequest,
  limit: { readonly modificationsSoFar: number; readonly max: number },
): string | undefined {
  if (original === undefined) return `the plan has no task ${originalTaskId}`;
  if (original.verify && type === 'SPLIT_TASK')
    return `task ${originalTaskId} is a [VERIFY] task: it must not be replaced by tasks that prove something else`;
  if (limit.modificationsSoFar >= limit.max)
    return `task ${originalTaskId} was already modified ${limit.modificationsSoFar} times, which is the limit`;
  if (proposedTasks.length === 0) return 'it proposes no task';
  if (proposedTasks.length > PROPOSED_MAX)
    return `it proposes ${proposedTasks.length} tasks; at most ${PROPOSED_MAX} are allowed at once`;
  return undefined;
}

/** A refusal, of a reason that is the end of a sentence without its full stop. */
export function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason: `${reason}.` };
}

/** The task of a proposed block, or what is wrong with it, as the end of a sentence. */
function readProposed(plan: Plan, text: string): ProposedTask | string {
  const block = withoutCommonIndent(text.replaceAll('\r\n', '\n').split('\n')).join('\n').replace(/^\n+/, '').trimEnd();
  const proposed = parsePlan(block);
  const task = proposed.tasks[0];
  if (task === undefined) return 'is not a task';
  if (proposed.tasks.length > 1 || proposed.groups.length > 0) return 'holds more than one task';
  const first = proposed.problems[0];
  if (first !== undefined)
    return `has a flaw on its line ${first.line}: ${lowerFirst(first.message).replace(/\.$/, '')}`;
  if (task.block !== block) return 'holds text that does not belong to the task';
  return whyNotProposable(plan, task) ?? { id: task.id, block };
}

function whyNotProposable(plan: Plan, task: Task): string | undefined {
  const needsId = plan.tasks.some((known) => known.hasOwnId && known.fixes === undefined);
  if (needsId && !task.hasOwnId) return 'has no id';
  if (task.checked) return 'is already ticked';
  if (dotsOf(task.id) > DEEPEST_ID) return `has the id ${task.id}, which is deeper than ${DEEPEST_ID} dots`;
  if (task.fixes !== undefined) return 'is marked as a fix task';
  const missing = missingFields(task);
  return missing.length === 0 ? undefined : `has no ${missing.join(', ')}`;
}

function missingFields(task: Task): readonly string[] {
  const given: readonly (readonly [string, boolean])[] = [
    ['Do', task.steps !== undefined && task.steps !== ''],
    ['Files', task.filesKnown || /^[ \t]*[-*+][ \t]+\*{0,2}files?\*{0,2}[ \t]*:/im.test(task.block)],
    ['Done when', task.doneWhen !== undefined && task.doneWhen !== ''],
    ['Verify', task.verifyKind !== 'none'],
    ['Commit', task.commitKind !== 'missing'],
  ];
  return given.flatMap(([name, isGiven]) => (isGiven ? [] : [name]));
}

/** The task a request speaks of: of several with this id the first open one. */
export function originalOf(plan: Plan, id: string): Task | undefined {
  return plan.tasks.find((task) => task.id === id && !task.checked) ?? plan.tasks.find((task) => task.id === id);
}

/**
 * Writes the tasks of a granted request into the plan (R-MOD-3), all of them or none: those of a split and a follow-up
 * right after the original, those of a prerequisite before it. Nothing is ticked: that is done when work is recorded.
 * A plan that holds them already, as after a crash, stays as it is (R-ADV-2).
 */
export function applyModification(
  plan: Plan,
  request: Pick<ModificationRequest, 'type' | 'originalTaskId'>,
  tasks: readonly ProposedTask[],
): Edited {
  if (holds(plan, tasks)) return { ok: true, text: plan.text, plan };
  const original = originalOf(plan, request.originalTaskId);
  if (original === undefined) return { ok: false, reason: `The plan has no task ${request.originalTaskId}.` };
  const indent = /^[ \t]*/.exec(original.block)?.[0] ?? '';
  let edited: Edited = { ok: true, text: plan.text, plan };
  for (const [at, task] of tasks.entries()) {
    if (!edited.ok) return edited;
    const place =
      request.type === 'ADD_PREREQUISITE' ? { before: original.index + at } : { after: original.index + at };
    edited = insertBlock(edited.plan, place, indented(task.block, indent));
  }
  return edited;
}

/** Whether all the tasks are in the plan, as they were proposed. */
function holds({ tasks: known }: Plan, proposed: readonly ProposedTask[]): boolean {
  const blocks = new Map(known.map(({ id, block }) => [id, withoutMargin(block)]));
  return proposed.every(({ id, block }) => blocks.get(id) === withoutMargin(block));
}

function withoutMargin(block: string): string {
  return block
    .replaceAll('\r\n', '\n')
    .replace(/^[ \t]+/gm, '')
    .trimEnd();
}

function indented(block: string, indent: string): string {
  return block.replace(/^(?=.)/gm, indent);
}

/** A sentence as the end of another one. */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
