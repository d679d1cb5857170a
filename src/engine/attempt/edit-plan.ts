import { type PlannedTask, planned } from '../../core/plan/data/planned-task.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Edited } from '../../core/plan/edit/edit.ts';
import { readIfText } from '../lane/read-if-text.ts';
import type { World } from '../lane/world.ts';

/** An edited plan, not written yet, or why it was not made. */
export type PlanEdit =
  | {
      readonly ok: true;
      readonly plan: Plan;
      /** All its tasks, if a person added to the file in the meantime. */
      readonly tasks?: readonly PlannedTask[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Edits the plan. What a person added to the file since the last check is taken into it (R-VER-3); what else was changed
 * there is not. `own` are the keys of the tasks whose boxes may differ in the file.
 */
export async function editPlan(
  { spec, plan, files, workdir }: World,
  own: readonly string[],
  edit: (plan: Plan) => Edited,
): Promise<PlanEdit> {
  const edited = edit(plan.plan);
  const text = await readIfText(files, spec.format.file);
  if (!edited.ok || text === edited.text) return edited;
  const found = spec.format.reconcile(plan.plan, text, { own });
  if (found.additions.length === 0) return edited;
  const whole = edit(found.plan);
  return whole.ok ? { ...whole, tasks: whole.plan.tasks.map((task) => planned(task, workdir)) } : edited;
}

/** An edit that changes nothing of its own. */
export function asItIs(plan: Plan): Edited {
  return { ok: true, text: plan.text, plan };
}

/** What an event tells of what a person added. */
export function addedTo({ tasks }: { readonly tasks?: readonly PlannedTask[] }): {
  readonly tasks?: readonly PlannedTask[];
} {
  return tasks ? { tasks } : {};
}
