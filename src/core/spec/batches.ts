import type { Task } from './task.ts';

/**
 * The tasks that may run together, as indices in file order, beginning with the task at `index` (R-PAR-1): consecutive
 * `[P]` tasks of one phase. A task without `[P]`, with `[VERIFY]` or `[SEQUENTIAL]`, of another phase, or that waits for
 * one of them ends the batch; ticked tasks inside are skipped. A batch of one runs like any other task. Empty if there is
 * no open task at `index`.
 */
export function batchAt(tasks: readonly Task[], index: number): readonly number[] {
  const first = tasks[index];
  if (first === undefined || first.checked) return [];
  if (!first.parallel) return [index];
  const batch: number[] = [];
  const ids = new Set<string>();
  for (const task of tasks.slice(index)) {
    if (!task.parallel || task.phase !== first.phase) break;
    if (task.checked) continue;
    if (task.dependsOn.some((id) => ids.has(id))) break;
    batch.push(task.index);
    ids.add(task.id);
  }
  return batch;
}
