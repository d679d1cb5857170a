import type { PlannedTask } from '../plan/data/planned-task.ts';
import { answeredBy } from './marks.ts';
import { checkIn, type Origin, originOfCheck, originOfReview, originOfThread, writable, written } from './origin.ts';
import type { PullRequestPolicy } from './policy.ts';
import type { Check, Comment, Seen, Thread } from './seen.ts';

/** What the checks of a commit come to (R-PR-2, R-PR-10). */
export interface Checks {
  readonly failed: readonly Check[];
  readonly cutOff: readonly Check[];
  readonly pending: readonly Check[];
  /** Those that decide: the required ones, or all where none is required. */
  readonly deciding: readonly Check[];
}

export function readChecks(checks: readonly Check[]): Checks {
  const required = checks.filter(({ isRequired }) => isRequired);
  const deciding = required.length > 0 ? required : checks;
  const inState = (state: Check['state']) => deciding.filter((check) => check.state === state);
  return { deciding, failed: inState('failed'), cutOff: inState('cut-off'), pending: inState('pending') };
}

/** Something that a person or a listed bot wants, and has no answer of ours yet. */
export type Request =
  | {
      readonly kind: 'thread';
      readonly origin: Origin;
      readonly thread: Thread;
      readonly comment: Comment;
      readonly leftOut: number;
    }
  | { readonly kind: 'review'; readonly origin: Origin; readonly review: Comment };

/** What is asked for and not answered (R-PR-3), without what comes from people who may not write there (R-PR-4). */
export function openRequests(seen: Seen, { bots }: Pick<PullRequestPolicy, 'bots'>): readonly Request[] {
  const counts = ({ author }: Comment) => author.mayWrite || (author.isBot && bots.includes(author.name));
  const threads = seen.threads.flatMap((thread): Request[] => {
    const heard = thread.comments.filter((comment) => counts(comment) && answeredBy(comment) === undefined);
    const comment = heard.at(-1);
    if (comment === undefined) return [];
    if (thread.comments.some((other) => answeredBy(other) === comment.id)) return [];
    const left = thread.comments.filter((other) => counts(other) || answeredBy(other) !== undefined);
    return [
      {
        kind: 'thread',
        origin: originOfThread(thread, comment),
        thread: { ...thread, comments: left },
        comment,
        leftOut: thread.comments.length - left.length,
      },
    ];
  });
  const reviews = seen.changesRequested
    .filter((review) => counts(review) && !seen.answeredReviews.includes(review.id))
    .map((review): Request => ({ kind: 'review', origin: originOfReview(review), review }));
  return [...threads, ...reviews];
}

/** How many discussions nobody acts upon, as their authors may not write to the repository. */
export function ignoredRequests(seen: Seen, { bots }: Pick<PullRequestPolicy, 'bots'>): number {
  const counts = ({ author }: Comment) => author.mayWrite || (author.isBot && bots.includes(author.name));
  return [...seen.threads.map(({ comments }) => comments), ...seen.changesRequested.map((review) => [review])].filter(
    (comments) => !comments.some(counts),
  ).length;
}

/** The task of the plan that was made from this. */
export function taskFrom(tasks: readonly PlannedTask[], origin: Origin): PlannedTask | undefined {
  const wanted = written(origin);
  return tasks.find(({ from }) => from === wanted);
}

/** How many tasks of the plan were made from a check, of whichever commit (R-PR-5). */
export function fixesOf(tasks: readonly PlannedTask[], check: Pick<Check, 'name'>): number {
  const name = writable(check.name);
  return tasks.filter(({ from }) => from !== undefined && checkIn(from) === name).length;
}

/** The checks among these that no task of the plan was made from at this commit. */
export function withoutTask(
  checks: readonly Check[],
  { tasks, head }: { readonly tasks: readonly PlannedTask[]; readonly head: string },
): readonly Check[] {
  return checks.filter((check) => taskFrom(tasks, originOfCheck(check, head)) === undefined);
}
