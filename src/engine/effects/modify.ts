import { addNote } from '../../core/progress/notes.ts';
import type { Effect } from '../../core/run/effect.ts';
import type { ModificationType, RunEvent } from '../../core/run/event.ts';
import { expectAt } from '../../core/run/moves.ts';
import { planned } from '../../core/run/planned-task.ts';
import { type RunState, taskOf } from '../../core/run/state.ts';
import { applyModification, checkModification, type ModificationRequest } from '../../core/spec/modification.ts';
import { reconcile } from '../../core/spec/reconcile.ts';
import type { Plan } from '../../core/spec/task.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import type { World } from '../world.ts';
import { foldAgentCommits } from './commit.ts';
import { commitPlan } from './commit-plan.ts';

type Modify = Extract<Effect, { do: 'modify' }>;

const REASON_CHARS_MAX = 500;

/** Decides on a modification request and writes what it asks for into the plan, all or nothing (section 8). */
export async function modify({ task: key, attempt }: Modify, state: RunState, world: World): Promise<RunEvent> {
  const { answer, base } = expectAt(state, key, 'MODIFYING');
  const refuse = (reason: string): RunEvent => ({ type: 'modification-refused', task: key, attempt, reason });
  const request = answer.request;
  if (request === undefined || 'malformed' in request) return refuse(request?.malformed ?? 'There is no request.');
  const why = signalProblem(request.type, answer.signal) ?? ownershipProblem(request, taskOf(state, key).id);
  if (why !== undefined) return refuse(why);
  const count = state.carried.modifications[request.originalTaskId]?.count ?? 0;
  const checked = checkModification(world.plan.plan, request, {
    modificationsSoFar: count,
    max: state.policy.maxModifications,
  });
  if (!checked.ok) return refuse(checked.reason);
  const found = reconcile(world.plan.plan, await world.files.read('tasks.md').catch(() => undefined), { own: [key] });
  if (found.violations.length > 0) return refuse(`tasks.md was changed beside it: ${found.violations.join('; ')}`);
  const applied = applyModification(found.plan, request, checked.tasks);
  if (!applied.ok) return refuse(applied.reason);
  await foldAgentCommits(state, world, { key, attempt, base });
  return await write(state, world, {
    key,
    attempt,
    request,
    plan: applied.plan,
    ids: checked.tasks.map(({ id }) => id),
  });
}

/** A split or a follow-up is asked for beside finished work, a prerequisite instead of it (R-MOD-3). */
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

interface Granted {
  readonly key: string;
  readonly attempt: number;
  readonly request: ModificationRequest;
  readonly plan: Plan;
  readonly ids: readonly string[];
}

async function write(state: RunState, world: World, { key, attempt, request, plan, ids }: Granted): Promise<RunEvent> {
  const { files } = world;
  const id = request.originalTaskId;
  const reason = oneLine(request.reasoning, REASON_CHARS_MAX);
  const note = `Task ${id}: ${VERBS[request.type]} ${ids.join(', ')}: ${reason}`;
  await files.write('.progress.md', addNote(await files.read('.progress.md'), 'Learnings', note));
  const done = await commitPlan(state, world, {
    plan,
    message: `chore(spec): ${VERBS[request.type]} ${ids.join(', ')} (task ${id})`,
  });
  if (done.how === 'refused') return { type: 'commit-refused', task: key, attempt, output: done.output };
  const tasks = plan.tasks.filter((task) => ids.includes(task.id));
  return {
    type: 'plan-modified',
    task: key,
    attempt,
    request: request.type,
    inserted: { at: tasks[0]?.index ?? 0, tasks: tasks.map(planned) },
    reason,
    head: done.head,
  };
}

const VERBS: Readonly<Record<ModificationType, string>> = {
  SPLIT_TASK: 'split into',
  ADD_PREREQUISITE: 'add before it',
  ADD_FOLLOWUP: 'add behind it',
};
