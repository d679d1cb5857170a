import { planned } from '../../core/plan/data/planned-task.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { ModificationRequest, ModificationType, ProposedTask } from '../../core/plan/edit/modification.ts';
import { addNote } from '../../core/progress/notes.ts';
import { scopeBounds } from '../../core/progress/scope-bounds.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { beyondScope } from '../../core/run/modification.ts';
import { expectAt } from '../../core/run/moves.ts';
import { filledIn, planChange } from '../../core/run/record/commit-message.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { addedTo, editPlan, type PlanEdit } from '../attempt/edit-plan.ts';
import { foldAgentCommits } from '../attempt/fold-agent-commits.ts';
import { noted } from '../attempt/leftovers.ts';
import { blocked } from '../attempt/make-commit.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { recordTrailers, type World } from '../lane/world.ts';
import { commitPlan } from './commit-plan.ts';

type Modify = Extract<Effect, { do: 'modify' }>;

const REASON_CHARS_MAX = 500;

/** Decides on a modification request and writes what it asks for into the plan, all or nothing (R-MOD-2, R-MOD-3). */
export async function modify({ task: key, attempt }: Modify, state: RunState, world: World): Promise<RunEvent> {
  const { answer, base } = expectAt(state, key, 'MODIFYING');
  const refuse = (reason: string): RunEvent => ({ type: 'modification-refused', task: key, attempt, reason });
  const request = answer.request;
  if (request === undefined || 'malformed' in request) return refuse(request?.malformed ?? 'There is no request.');
  const why = signalProblem(request.type, answer.signal) ?? ownershipProblem(request, taskOf(state, key).id);
  if (why !== undefined) return refuse(why);
  const count = state.carried.modifications[request.originalTaskId]?.count ?? 0;
  const checked = world.spec.format.decide(world.plan.plan, request, {
    modificationsSoFar: count,
    max: state.policy.maxModifications,
  });
  if (!checked.ok) return refuse(checked.reason);
  const ids = checked.tasks.map(({ id }) => id);
  const isAlone = world.lane.kind !== 'worktree';
  const applied = await applyTo(world, { key, request, tasks: checked.tasks, isAlone });
  if (!applied.ok) return refuse(applied.reason);
  const bounds = scopeBounds((await readIfText(world.files, world.spec.progressFile)) ?? '');
  const beyond = beyondScope(request, applied.plan, { ids, ...(bounds && { bounds }), own: world.spec.path });
  if (beyond !== undefined) return refuse(beyond);
  const folded = await foldAgentCommits(state, world, { key, attempt, base });
  const written = await write(state, world, {
    key,
    attempt,
    request,
    edited: applied,
    ids,
  });
  return written.type === 'plan-modified' ? { ...written, ...noted(written.notes, folded.notes) } : written;
}

/**
 * The plan with the tasks in it, made from the trusted plan alone: neither the file nor a commit counts as the grant of a
 * request, as an agent may have written both. Refused when the file was changed in other ways. A file that holds just these
 * tasks is what a crash left, and the answer (R-ADV-2).
 */
async function applyTo(
  world: World,
  {
    key,
    request,
    tasks,
    isAlone,
  }: {
    readonly key: string;
    readonly request: ModificationRequest;
    readonly tasks: readonly ProposedTask[];
    readonly isAlone: boolean;
  },
): Promise<PlanEdit> {
  const { plan, files } = world;
  const { format } = world.spec;
  const text = await readIfText(files, format.file);
  const edit = (before: Plan) => format.modify(before, request, tasks);
  const applied = edit(plan.plan);
  const { violations } = format.reconcile(plan.plan, text, { own: [key], isAlone });
  if (violations.length > 0 && !(applied.ok && applied.text === text))
    return { ok: false, reason: `${format.file} was changed as well: ${violations.join('; ')}` };
  return await editPlan(world, [key], edit);
}

interface TaskAttempt {
  readonly id: string;
  readonly attempt: number;
}

/** Unlike a record's: the same attempt may record its work later. */
function planTrailers(spec: World['spec'], at: TaskAttempt): Readonly<Record<string, string>> {
  const { 'Specloop-Task': task = '', ...attempt } = recordTrailers(spec, at);
  return { 'Specloop-Plan': task, ...attempt };
}

/** A split or a follow-up is asked for with finished work, a prerequisite instead of it (R-MOD-3). */
function signalProblem(type: ModificationType, signal: string): string | undefined {
  if (type === 'ADD_PREREQUISITE')
    return signal === 'positive' ? 'ADD_PREREQUISITE must not come with TASK_COMPLETE.' : undefined;
  return signal === 'positive' ? undefined : `${type} needs TASK_COMPLETE as well.`;
}

function ownershipProblem({ originalTaskId }: ModificationRequest, id: string): string | undefined {
  return originalTaskId === id
    ? undefined
    : `The request is about task ${originalTaskId}, but the attempt is at task ${id}.`;
}

interface ModifyOrder {
  readonly key: string;
  readonly attempt: number;
  readonly request: ModificationRequest;
  readonly edited: Extract<PlanEdit, { ok: true }>;
  readonly ids: readonly string[];
}

async function write(state: RunState, world: World, { ids, ...order }: ModifyOrder): Promise<RunEvent> {
  const { key, attempt, request, edited } = order;
  const { files, spec } = world;
  const id = request.originalTaskId;
  const change = planChange(request, ids.join(', '));
  const note = `Task ${id}: ${change}: ${reasonOf(request)}`;
  const message = filledIn(world.commits.plan, { spec: spec.name, task: id, change });
  const done = await commitPlan(state, world, {
    plan: edited.plan,
    progress: addNote(await files.read(spec.progressFile), 'Learnings', note),
    message,
    trailers: planTrailers(spec, { id, attempt }),
  });
  if (done.how === 'blocked') return blocked(done.done, done.cause, { task: key, attempt, message });
  return {
    ...granted({ key, attempt, request, ids, plan: done.plan, workdir: world.workdir, head: done.head }),
    ...addedTo(edited),
    ...addedTo(done),
    ...noted(done.notes),
  };
}

function granted({
  key,
  attempt,
  request,
  ids,
  plan,
  workdir,
  head,
}: Pick<ModifyOrder, 'key' | 'attempt' | 'request' | 'ids'> & {
  readonly plan: Plan;
  readonly workdir: string;
  readonly head: string;
}): Extract<RunEvent, { type: 'plan-modified' }> {
  const tasks = plan.tasks.filter(({ id }) => ids.includes(id));
  return {
    type: 'plan-modified',
    task: key,
    attempt,
    request: request.type,
    inserted: { at: tasks[0]?.index ?? 0, tasks: tasks.map((task) => planned(task, workdir)) },
    reason: reasonOf(request),
    head,
  };
}

function reasonOf({ reasoning }: ModificationRequest): string {
  return oneLine(reasoning, REASON_CHARS_MAX);
}
