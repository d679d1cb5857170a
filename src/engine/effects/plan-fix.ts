import { planned } from '../../core/plan/data/planned-task.ts';
import type { Plan, Task } from '../../core/plan/data/task.ts';
import type { Edited } from '../../core/plan/edit/edit.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import type { Effect } from '../../core/run/data/effect.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import { filledIn } from '../../core/run/record/commit-message.ts';
import { firstLine, triedBefore } from '../../core/run/tried-before.ts';
import { addedTo, asItIs, editPlan } from '../attempt/edit-plan.ts';
import { noted } from '../attempt/leftovers.ts';
import { blocked } from '../attempt/make-commit.ts';
import type { World } from '../lane/world.ts';
import { commitPlan } from './commit-plan.ts';

type PlanFix = Extract<Effect, { do: 'plan-fix' }>;

/** Writes a fix task after its original and commits the plan (R-REC-4, R-REC-5). A fix that is there already is the answer. */
export async function planFix(effect: PlanFix, state: RunState, world: World): Promise<RunEvent> {
  const { task: key, attempt, fix, failure } = effect;
  const error = failure.error ?? firstLine(failure.text);
  const found = (plan: Plan) => findFix(plan, effect, { state, format: world.spec.format });
  const edited = await editPlan(world, [], (plan) =>
    found(plan) ? asItIs(plan) : insertFix(effect, state, { format: world.spec.format, plan, error }),
  );
  if (!edited.ok) throw new Error(`The fix task ${fix} can't be written into the plan: ${edited.reason}`);
  const message = filledIn(world.commits.fix, { spec: world.spec.name, task: found(edited.plan)?.id ?? fix });
  const done = await commitPlan(state, world, { plan: edited.plan, message });
  if (done.how === 'blocked') return blocked(done.done, done.cause, { task: key, attempt, message });
  const made = found(done.plan);
  if (made === undefined) throw new Error(`The fix task ${fix} is not in the plan.`);
  return {
    type: 'fix-planned',
    task: key,
    attempt,
    inserted: { at: made.index, tasks: [planned(made, world.workdir)] },
    ...addedTo(edited),
    ...addedTo(done),
    error,
    head: done.head,
    ...noted(done.notes),
  };
}

function findFix(
  plan: Plan,
  { task, fix }: PlanFix,
  { state, format }: { readonly state: RunState; readonly format: PlanFormat },
): Task | undefined {
  const original = taskOf(state, task);
  return format.findFix(plan, { id: fix, original, known: state.carried.fixes[original.id]?.fixTaskIds ?? [] });
}

function insertFix(
  { task: key, fix, failure }: PlanFix,
  state: RunState,
  { format, plan, error }: { readonly format: PlanFormat; readonly plan: Plan; readonly error: string },
): Edited {
  const original = plan.tasks.find((task) => task.key === key);
  if (original === undefined) return { ok: false, reason: `There is no task ${key}.` };
  return format.insertFix(plan, {
    id: fix,
    original,
    error,
    attemptedFix: failure.attemptedFix ?? 'No fix attempted',
    tried: triedBefore(state, key),
  });
}
