import type { PlannedTask } from './planned-task.ts';

/**
 * The message of the commit that records a task (R-ADV-1): exactly its *Commit* field; for "None" the
 * coordinator's own; without the field the task's title, so that the history still says what was done.
 */
export function commitMessage(task: PlannedTask, index: number): string {
  switch (task.commitKind) {
    case 'message':
      return task.commit ?? task.title;
    case 'none':
      return `chore(spec): update progress for task ${index}`;
    case 'missing':
      return `${task.id} ${task.title}`;
  }
}
