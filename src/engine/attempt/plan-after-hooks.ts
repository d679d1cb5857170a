import { type PlannedTask, planned } from '../../core/plan/data/planned-task.ts';
import { isSamePlan } from '../../core/plan/data/same-plan.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { UserError } from '../../core/user-error.ts';
import { readPlanText } from '../lane/plan-text.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { planPath, type World } from '../lane/world.ts';

/** What hooks made of a plan that the coordinator committed. */
export type AfterHooks =
  | {
      readonly ok: true;
      readonly plan: Plan /** All tasks, if they read differently now. */;
      readonly tasks?: readonly PlannedTask[];
    }
  /** They changed more than its form. */
  | { readonly ok: false };

/**
 * The plan as it is after a commit made by specloop, which hooks may have formatted (R-ADV-5). No agent was at work between;
 * but a person may have edited the file, which the next check takes up (R-VER-3).
 */
export async function planAfterHooks(world: World, plan: Plan, commit: string): Promise<AfterHooks> {
  await world.progress.accept();
  const text = await readIfText(world.files, world.spec.format.file);
  if (text === plan.text) return { ok: true, plan };
  const found = text === undefined ? undefined : readIfPlan(world, text);
  if (found && isSamePlan(plan, found)) return taken(world, plan, found);
  const recorded = await world.git.fileAt(world.tree, commit, planPath(world));
  if (recorded === undefined || recorded === plan.text) return { ok: true, plan };
  const formatted = readIfPlan(world, recorded);
  return formatted && isSamePlan(plan, formatted) ? taken(world, plan, formatted) : { ok: false };
}

function taken({ workdir }: World, before: Plan, plan: Plan): AfterHooks {
  const read = ({ tasks }: Plan) => tasks.map((task) => planned(task, workdir));
  const tasks = read(plan);
  const isSame = JSON.stringify(tasks) === JSON.stringify(read(before));
  return { ok: true, plan, ...(isSame ? {} : { tasks }) };
}

function readIfPlan({ spec }: World, text: string): Plan | undefined {
  try {
    return readPlanText(spec.format, text);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
