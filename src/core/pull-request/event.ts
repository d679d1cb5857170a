import type { Inserted } from '../plan/data/inserted.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { PullRequest, Seen } from './seen.ts';
import type { AnswerTo, BaseMerge } from './step.ts';

/** What happened between a run and the forge. `at` is the time, ISO 8601 in UTC: limits are counted from it. */
export type PullRequestEvent = { readonly at: string } & (
  | {
      readonly type: 'branch-pushed';
      readonly commit: string;
      /** Whether the remote did not have it yet. */
      readonly isNew: boolean;
    }
  | {
      readonly type: 'push-refused';
      readonly cause: 'protected' | 'hook' | 'behind' | 'denied' | 'unreachable' | 'other';
      readonly output: string;
    }
  /**
   * How the branch on the remote differs from ours. `ahead`: ours was moved there, to `head`. `merged`: both had new commits,
   * and ours is their merge `head` now. `blocked`: something stands in the way of either. `rewritten`: what was pushed is not
   * in it any more.
   */
  | {
      readonly type: 'branch-compared';
      readonly relation: 'same' | 'ahead' | 'merged' | 'blocked' | 'rewritten' | 'gone';
      readonly head: string;
      readonly output?: string;
      readonly tasks?: readonly PlannedTask[];
      /** What is uncommitted now, and the user's own (R-START-2). */
      readonly foreign?: readonly string[];
    }
  | { readonly type: 'pull-request-opened'; readonly pullRequest: PullRequest; readonly isNew: boolean }
  | ({ readonly type: 'pull-request-seen' } & Seen)
  | ({
      readonly type: 'base-merged' /** Then a person has to merge: no task can be planned. */;
      readonly isPlanInConflict?: boolean;
    } & BaseMerge)
  | { readonly type: 'check-rerun'; readonly check: string; readonly isRunning: boolean }
  | {
      readonly type: 'tasks-planned';
      readonly inserted: readonly Inserted[];
      readonly head: string;
      readonly tasks?: readonly PlannedTask[];
      readonly notes?: readonly string[];
      readonly foreign?: readonly string[];
    }
  | { readonly type: 'comment-answered'; readonly to: AnswerTo; readonly task?: string }
  | {
      readonly type: 'lifecycle-recorded';
      readonly head: string;
      readonly done: readonly LifecycleProof[];
      readonly notes?: readonly string[];
    }
  /** The command of a task of the lifecycle failed, although all that it speaks of holds. */
  | { readonly type: 'lifecycle-unproved'; readonly task: string; readonly command: string; readonly output: string }
  | {
      readonly type: 'forge-failed';
      readonly trouble:
        | 'limited'
        | 'unavailable'
        | 'missing'
        | 'signed-out'
        | 'denied'
        | 'gone'
        | 'refused'
        | 'not-understood';
      readonly message: string;
      readonly retryAt?: string;
    }
);

/** How a task of the lifecycle was found to be done: by its command, or by what was seen. `task` is its key. */
export interface LifecycleProof {
  readonly task: string;
  readonly command?: string;
  readonly output?: string;
}

/** The event of one type. */
export type PullRequestEventOf<T extends PullRequestEvent['type']> = Extract<PullRequestEvent, { type: T }>;
