import type { Task } from './task.ts';

/** Whether a run leaves a task out: an optional one that is open, unless it was asked for (R-DIA-4). */
export function isLeftOut(
  { optional, checked }: { readonly optional?: boolean; readonly checked: boolean },
  { withOptional }: { readonly withOptional?: boolean } = {},
): boolean {
  return optional === true && !checked && withOptional !== true;
}

/** Whether a plan has open tasks that only a review can prove, as those of other tools, which know no commands (R-DIA-4). */
export function isProvenByReview({
  dialect,
  tasks,
}: {
  readonly dialect: string;
  readonly tasks: readonly Pick<Task, 'checked' | 'optional' | 'verifyKind'>[];
}): boolean {
  return dialect !== 'ralph-specum' && tasks.some(({ checked, verifyKind }) => !checked && verifyKind !== 'command');
}
