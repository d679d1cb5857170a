import type { Verdict } from '../verify/judge.ts';
import type { Answer } from './answer.ts';
import type { Carried } from './carried.ts';
import type { StopSignal } from './stop-signal.ts';
import type { Pause } from './pause.ts';
import type { Failure } from './failure.ts';
import type { Outcome } from './outcome.ts';
import type { PlannedTask } from './planned-task.ts';
import type { Policy } from './policy.ts';

/** A run, as the fold of its events. Everything `next` decides from. */
export interface RunState {
  readonly phase: Phase;
  readonly policy: Policy;
  /** The plan in its order; a recorded task is `checked`. */
  readonly tasks: readonly PlannedTask[];
  /** Where the tasks stand that were begun and are not recorded. By task key. */
  readonly progress: ReadonlyMap<string, TaskProgress>;
  /** Branch of the run and the newest commit on it that is ours or was there when we came. Empty until prepared. */
  readonly branch: string;
  readonly tip: string;
  /** Uncommitted paths of the user, never touched (R-START-2). */
  readonly foreign: readonly string[];
  /** Attempts of all tasks so far (R-RETRY-2). */
  readonly globalIteration: number;
  readonly spent: { readonly costUsd: number; readonly tokens: number };
  readonly carried: Carried;
  /** A person or the system wants the run to stop. */
  readonly stopping?: StopSignal;
  /** The time limit of the run was reached. */
  readonly outOfTime?: { readonly limitMs: number };
  /** How it ended, once it is over. */
  readonly ended?: { readonly result: Outcome | 'interrupted' | 'fault'; readonly reason: string };
}

/** In CAPITALS: an effect is under way, and only its event moves the run on. */
export type Phase = 'starting' | 'PREPARING' | 'executing' | 'FINISHING' | 'over';

/**
 * Where one task stands. In CAPITALS: an effect is under way.
 *
 *     waiting ─▶ WORKING ─▶ returned ─▶ CHECKING ─▶ accepted ─▶ COMMITTING ─▶ (recorded: checked in the plan)
 *
 *     WORKING, CHECKING, COMMITTING ─▶ failed ─▶ SETTING-ASIDE ─▶ waiting    while attempts are left
 *                                                              ─▶ gave-up    after the last
 *     waiting with `pause` ─▶ PAUSED ─▶ waiting                              after a usage limit
 */
export type TaskProgress = Begun &
  (
    | { readonly at: 'waiting'; readonly pause?: Pause }
    | { readonly at: 'PAUSED'; readonly pause: Pause }
    | { readonly at: 'WORKING' }
    | ({ readonly at: 'returned' | 'CHECKING' } & Claimed)
    | ({ readonly at: 'accepted' | 'COMMITTING' } & Claimed & { readonly verdict: Verdict })
    | ({ readonly at: 'failed' | 'SETTING-ASIDE' } & Rejected)
    | { readonly at: 'gave-up'; readonly reason: string }
  );

interface Begun {
  /** Number of the attempt that is, or will be next, at work; from 1, never used twice. */
  readonly attempt: number;
  /** The commit the attempt began at. */
  readonly base: string;
  /** Failed attempts of this run that count (R-RETRY-1), oldest first. */
  readonly failures: readonly FailedAttempt[];
  /** Usage limits met in a row, for the length of the next pause. */
  readonly pauses: number;
}

/**
 * Whose doing a failure is. `task`: it counts as an attempt. `limit`: the run waits and does not count it (R-DEL-7).
 * `stop`: the run was stopped. `setup`: no attempt can succeed, as without authentication; the run stops at once.
 */
export type Blame = 'task' | 'limit' | 'stop' | 'setup';

interface Rejected {
  readonly failure: Failure;
  readonly blame: Blame;
  readonly resetsAt?: string;
}

interface Claimed {
  readonly answer: Answer;
}

/** A failure and the work it left: equal `treeId` means equal work, absent means none (R-RETRY-3). */
export interface FailedAttempt {
  readonly attempt: number;
  readonly failure: Failure;
  readonly treeId?: string;
  readonly kept?: string;
}

export function isUnderWay(progress: TaskProgress): boolean {
  return progress.at === progress.at.toUpperCase();
}

/** Position of the first task that is not recorded; the number of tasks if all are. */
export function currentIndex(state: RunState): number {
  const index = state.tasks.findIndex((task) => !task.checked);
  return index === -1 ? state.tasks.length : index;
}

export function taskOf(state: RunState, key: string): PlannedTask {
  const task = state.tasks.find((candidate) => candidate.key === key);
  if (task === undefined) throw new Error(`No task ${key} in the plan.`);
  return task;
}

export function progressOf(state: RunState, key: string): TaskProgress {
  return state.progress.get(key) ?? { at: 'waiting', attempt: 1, base: state.tip, failures: [], pauses: 0 };
}
