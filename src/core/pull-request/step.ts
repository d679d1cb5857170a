import type { Origin } from './origin.ts';
import type { Comment, Thread } from './seen.ts';

/** One thing that the lifecycle does next. An order, in plain data, safe to carry out twice. */
export type PullRequestStep =
  /** Bring the commits of the branch to the remote (R-PR-6). */
  | { readonly step: 'push'; readonly commit: string }
  /** See how the branch on the remote differs from ours, and take in what others added to it (R-PR-11). */
  | { readonly step: 'compare' }
  /** Find the pull request of the branch, or open one (R-PR-1). */
  | { readonly step: 'open' }
  /** Read checks, threads and reviews. */
  | { readonly step: 'look' }
  /** Run a check again that was cut off (R-PR-10). */
  | { readonly step: 'rerun'; readonly check: string; readonly job: string }
  /** Merge the base into a commit that is on no branch, conflicts included (R-PR-11). */
  | { readonly step: 'merge'; readonly base: string }
  /** Move the branch to that merge, and plan the task that resolves its conflicts. */
  | ({ readonly step: 'adopt'; readonly id: string } & BaseMerge)
  /** Plan one task for each finding (R-PR-2, R-PR-3). */
  | { readonly step: 'plan'; readonly findings: readonly ForgeFinding[] }
  /** Answer a thread or a review whose task is done and pushed. */
  | { readonly step: 'answer'; readonly to: AnswerTo; readonly task?: string }
  /** Tick the lifecycle's own tasks and write the last notes, in one commit (R-PR-9). */
  | { readonly step: 'record' };

/** A merge of the base that is in no branch yet. */
export interface BaseMerge {
  readonly base: string;
  /** The commit of the base that was merged. */
  readonly theirs: string;
  readonly commit: string;
  /** Paths with conflict markers. */
  readonly conflicts: readonly string[];
}

/** Something on the forge that a task has to put right. */
export type ForgeFinding =
  | {
      readonly kind: 'check';
      readonly id: string;
      readonly origin: Origin;
      readonly name: string;
      readonly job?: string;
      readonly summary?: string;
      readonly url?: string;
    }
  | {
      readonly kind: 'thread';
      readonly id: string;
      readonly origin: Origin;
      readonly thread: Thread;
      /** Comments that were left out, as their authors may not write to the repository. */
      readonly leftOut: number;
    }
  | { readonly kind: 'review'; readonly id: string; readonly origin: Origin; readonly review: Comment };

export type AnswerTo =
  | { readonly kind: 'thread'; readonly thread: string; readonly comment: string }
  | { readonly kind: 'review'; readonly review: string; readonly author: string };
