import { isLifecycleTask } from '../../core/plan/data/lifecycle.ts';
import { planned } from '../../core/plan/data/planned-task.ts';
import { readIfText } from '../lane/read-if-text.ts';
import { withOwnBoxesOpen } from './own-boxes.ts';
import type { StepEvent, StepScene } from './scene.ts';

/**
 * Takes over what a person changed in the plan since it was written last: no agent is at work in the lifecycle, which waits
 * for hours, so nothing there is anyone else's (R-FILE-7). A file that holds no plan is not taken. Resolves with what
 * happened, if the plan was changed.
 */
export async function takePlanHere({ state, world }: StepScene): Promise<StepEvent | undefined> {
  const { files, spec, plan, workdir } = world;
  const before = plan.plan;
  const text = await readIfText(files, spec.format.file);
  if (text === undefined || text === before.text) return undefined;
  const own = before.tasks.filter(isLifecycleTask).map(({ key }) => key);
  const found = spec.format.reconcile(before, text, { own });
  if (found.violations.length === 0) {
    if (found.additions.length === 0) return undefined;
    plan.accept(found.plan);
  } else {
    const reading = spec.format.read(text);
    if (!reading.ok) return undefined;
    plan.accept(withOwnBoxesOpen(spec.format, reading.plan, before));
  }
  const tasks = plan.plan.tasks.map((task) => planned(task, workdir));
  return { type: 'tasks-planned', inserted: [], head: state.tip, tasks };
}
