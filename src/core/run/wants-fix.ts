import type { Failure } from '../verify/failure.ts';
import type { Answer } from './data/answer.ts';
import { type AtStage, type Begun, type RunState, taskOf } from './data/state.ts';
import { nextFixId } from './fix-id.ts';
import { fixLimit, isRecovering } from './recovery.ts';

/**
 * Why a failure of a task gets no fix task: `not-recovering` outside of recovery mode, else the limit that was reached
 * (R-REC-1, R-REC-3). What a reviewer finds is not asked here: it has limits of its own, the rounds (R-VER-8).
 */
export function whyNotFixed(state: RunState, key: string): 'not-recovering' | { readonly limit: string } | undefined {
  const task = taskOf(state, key);
  if (!isRecovering(state, task)) return 'not-recovering';
  const limit = fixLimit(state, task);
  return limit === undefined ? undefined : { limit };
}

/** The stage of a task that is to get a fix task, whichever check found the failure: an attempt's checks, a reviewer, the project's tests (R-REC-4). */
export function wantsFix(
  state: RunState,
  key: string,
  { from, failure, answer }: { readonly from: Begun; readonly failure: Failure; readonly answer?: Answer | undefined },
): AtStage<'wants-fix'> {
  const fix = nextFixId(state.tasks, taskOf(state, key).id);
  return { ...from, at: 'wants-fix', failure, fix, ...(answer ? { answer } : {}) };
}
