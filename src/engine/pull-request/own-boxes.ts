import { isLifecycleTask } from '../../core/plan/data/lifecycle.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { PlanFormat } from '../../core/plan/format.ts';

/** A plan in which no task of the lifecycle's own is ticked that was open before: it ticks these itself, with their proof (R-PR-9). */
export function withOwnBoxesOpen(format: PlanFormat, plan: Plan, before: Plan): Plan {
  const ticked = new Set(before.tasks.filter(({ checked }) => checked).map(({ key }) => key));
  let open = plan;
  for (const task of plan.tasks.filter((one) => one.checked && isLifecycleTask(one) && !ticked.has(one.key))) {
    const edited = format.untick(open, task);
    if (edited.ok) open = edited.plan;
  }
  return open;
}
