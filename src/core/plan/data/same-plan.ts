import type { Plan } from './task.ts';

/** Whether two plans have the same tasks, in the same order, with the same ticks and commands: only their form differs. */
export function isSamePlan(left: Plan, right: Plan): boolean {
  return (
    left.tasks.length === right.tasks.length &&
    left.tasks.every((task, at) => {
      const other = right.tasks[at];
      return (
        other !== undefined &&
        task.id === other.id &&
        task.checked === other.checked &&
        task.verifyCommand === other.verifyCommand &&
        task.commit === other.commit &&
        task.commitKind === other.commitKind
      );
    })
  );
}
