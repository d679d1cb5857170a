import type { Role } from '../agent/role.ts';
import { unblock } from './attempt.ts';
import { batchesAhead } from './batches-ahead.ts';
import type { Lane } from './data/lane.ts';
import { roleOf } from './data/role-of.ts';
import { progressOf, type RunState, taskOf } from './data/state.ts';
import { laneOf } from './lane-of.ts';
import { move } from './moves.ts';
import { afterFailure } from './retry.ts';

/** The next attempt at a task, or the one that is under way (R-AGT-7). */
export interface NextAttempt {
  readonly task: string;
  /** From 1; of a reviewer, the round. */
  readonly attempt: number;
  readonly role: Role;
  /** Where it works, as far as that is known now. */
  readonly lane: Lane;
  /** The state in which it begins. */
  readonly state: RunState;
}

/** Finds out what the next attempt at a task is told, if nothing happens until then. `role` is that of the task's marker by default (R-DEL-2). */
export function nextAttempt(now: RunState, key: string, role?: Role): NextAttempt {
  const state = withFailureKept(now, key);
  const { attempt, review } = progressOf(state, key);
  const chosen = role ?? roleOf(taskOf(state, key));
  return {
    task: key,
    attempt: chosen === 'reviewer' ? review.rounds + 1 : attempt,
    role: chosen,
    lane: laneAhead(state, key),
    state,
  };
}

/** A failure that is still to be put away is told to the next attempt. A task that gave up begins anew with the next run. */
function withFailureKept(state: RunState, key: string): RunState {
  const progress = progressOf(state, key);
  if (progress.at === 'blocked') return move(state, key, unblock(progress, state.tip));
  const after =
    progress.at === 'failed' || progress.at === 'SETTING-ASIDE' ? afterFailure(state, key, { progress }) : progress;
  if (after.at !== 'gave-up') return move(state, key, after);
  const others = new Map(state.progress);
  others.delete(key);
  return { ...state, progress: others };
}

/** Only a member of a batch that shares the tree is told of its lane. */
function laneAhead(state: RunState, key: string): Lane {
  if (state.batch || state.policy.isolation !== 'shared') return laneOf(state, key);
  for (const { batch, state: then } of batchesAhead(state)) {
    const members = batch.map((member) => member.key);
    if (members.length < 2 || !members.includes(key)) continue;
    return laneOf(
      { ...then, batch: { at: 'open', members, base: then.tip, out: [], commits: [], isEnding: false } },
      key,
    );
  }
  return laneOf(state, key);
}
