import type { PullRequestEnding } from './ending.ts';
import type { Seen } from './seen.ts';
import type { BaseMerge, PullRequestStep } from './step.ts';

/** Where the lifecycle of a pull request is, as the fold of its events. Times in milliseconds since 1970. */
export interface PullRequestState {
  /** What is under way; at rest if absent. */
  readonly underWay?: PullRequestStep['step'] | 'wait';
  /** When its first event came; absent before it. */
  readonly sinceMs?: number;
  /** When its newest event came. */
  readonly nowMs: number;
  /** The commit that was pushed last, and when it came to the remote. */
  readonly pushed?: string;
  readonly pushedAtMs?: number;
  readonly pullRequest?: { readonly number: number; readonly url: string };
  /** The newest look; gone once something was done that it does not show. */
  readonly seen?: Seen;
  /** Waits so far, and since the branch was pushed last. */
  readonly cycles: number;
  readonly waits: number;
  /** What has to be waited for before anything else. */
  readonly pause?: { readonly untilMs: number; readonly why: 'checks' | 'trouble' };
  /** Checks that were run again, as `commit name`, and as `now name` until the next look. */
  readonly rerun: ReadonlySet<string>;
  /** What was answered since the newest look, by the id of the comment or review. */
  readonly answered: ReadonlySet<string>;
  /** A merge of the base that the branch has to be moved to before anything else. */
  readonly merging?: BaseMerge;
  /** The branch has to be compared with the remote's before it is pushed. */
  readonly isBehind: boolean;
  /** The commit at which the lifecycle's own tasks and the last notes were recorded. */
  readonly recorded?: string;
  /** Troubles in a row of the kind that pass. */
  readonly troubles: number;
  /** Commands of the lifecycle's own tasks that failed in a row. */
  readonly unproved: number;
  readonly ended?: PullRequestEnding;
}

export const beforeFirstStep: PullRequestState = {
  nowMs: 0,
  cycles: 0,
  waits: 0,
  rerun: new Set(),
  answered: new Set(),
  isBehind: false,
  troubles: 0,
  unproved: 0,
};

/** A wait begins: for what the state says, or for checks. */
export function waitStarted(state: PullRequestState, untilMs: number): PullRequestState {
  return { ...state, underWay: 'wait', pause: state.pause ?? { untilMs, why: 'checks' } };
}

/** A wait is over; one for checks is a cycle, after which everything is looked at again (R-PR-5). */
export function waitOver(before: PullRequestState): PullRequestState {
  const { underWay: _done, pause, ...state } = before;
  const nowMs = Math.max(pause?.untilMs ?? 0, state.nowMs);
  if (pause?.why !== 'checks') return { ...state, nowMs };
  const { seen: _seen, ...rest } = state;
  return { ...rest, nowMs, cycles: state.cycles + 1, waits: state.waits + 1 };
}
