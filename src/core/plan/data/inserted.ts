import type { PlannedTask } from './planned-task.ts';

/** Tasks that were added to the plan in one step, and the position of the first (R-REC-5, R-MOD-3). */
export interface Inserted {
  readonly at: number;
  readonly tasks: readonly PlannedTask[];
}

/** The plan with tasks inserted; those that are there already are not added twice. */
export function insertTasks(tasks: readonly PlannedTask[], inserted: Inserted): readonly PlannedTask[] {
  const known = new Set(tasks.map((task) => task.key));
  return tasks.toSpliced(inserted.at, 0, ...inserted.tasks.filter((task) => !known.has(task.key)));
}
