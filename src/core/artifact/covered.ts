import type { Task } from '../plan/data/task.ts';
import type { DefinedId, Requirements } from './requirements.ts';
import { doesWork, type TaskIds } from './task-ids.ts';

/** The tasks that name each id. */
export type TasksById = ReadonlyMap<string, readonly Task[]>;

/** Turns round what tasks name. */
export function indexTasks(tasks: readonly TaskIds[]): TasksById {
  const found = new Map<string, Task[]>();
  for (const { task, ids } of tasks) {
    for (const id of ids) {
      const known = found.get(id);
      if (known === undefined) found.set(id, [task]);
      else known.push(task);
    }
  }
  return found;
}

/**
 * The tasks that name an id, in the order of the plan: itself, for a criterion also its story, and for a requirement that no
 * task does work for by its own id the tasks of all its criteria (R-TRACE-1).
 */
export function tasksOfId(
  { id, kind }: DefinedId,
  tasks: TasksById,
  { criteria, stories }: Pick<Requirements, 'criteria' | 'stories'>,
): readonly Task[] {
  const direct = inOrder([id, ...(stories.get(id) ?? [])].flatMap((name) => tasks.get(name) ?? []));
  if (kind !== 'FR' || direct.some(doesWork)) return direct;
  const named = criteria.get(id) ?? [];
  if (named.length === 0 || !named.every((name) => tasks.get(name)?.some(doesWork))) return direct;
  return inOrder([...direct, ...named.flatMap((name) => tasks.get(name) ?? [])]);
}

/** Whether a task that does work names it. */
export function isCovered(found: DefinedId, tasks: TasksById, requirements: Requirements): boolean {
  return tasksOfId(found, tasks, requirements).some(doesWork);
}

function inOrder(tasks: readonly Task[]): readonly Task[] {
  return [...new Set(tasks)].sort((left, right) => left.index - right.index);
}
