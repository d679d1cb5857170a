import type { PlannedTask } from '../plan/data/planned-task.ts';
import { markOf } from './marks.ts';
import type { AnswerTo } from './step.ts';

/** What an answer tells: the commit that holds the work, and how it was proved (R-PR-12). */
export interface AnswerFacts {
  readonly to: AnswerTo;
  /** The task that was made from it; absent for a review that only had threads. */
  readonly task?: Pick<PlannedTask, 'id' | 'verifyCommand'> | undefined;
  readonly commit: string;
}

/** The text of an answer: one line of evidence, and a mark that names what it answers. */
export function answerText({ to, task, commit }: AnswerFacts): string {
  const proof = task?.verifyCommand
    ? `\`${task.verifyCommand.replaceAll('`', "'")}\` passed`
    : 'a reviewer looked at it';
  const text =
    task === undefined
      ? `The threads of this review are addressed in ${commit}. Please look again.`
      : `Done in ${commit} (task ${task.id}): ${proof}.`;
  return `${text}\n\n${markOf(to.kind === 'thread' ? to.comment : to.review)}`;
}
