import { isLeftOut } from '../plan/data/left-out.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { Policy } from '../policy.ts';
import type { RunState } from '../run/data/state.ts';

/** What a person may have changed since a run ended. */
export interface SinceEnd {
  readonly tasks: readonly PlannedTask[];
  readonly policy: Policy;
  /** The newest commit of the branch, and the one at which the run ended. */
  readonly head: string | undefined;
  readonly endedAt: string | undefined;
  /** Whether the plan holds what is not committed. */
  readonly isPlanEdited: boolean;
}

const LIMITS = [
  'maxTaskIterations',
  'maxGlobalIterations',
  'stallAfter',
  'recoveryMode',
  'maxFixTasksPerOriginal',
  'maxFixTaskDepth',
  'review',
  'scope',
  'maxCostUsd',
  'maxTokens',
  'maxTimeMs',
] as const satisfies readonly (keyof Policy)[];

/**
 * Whether no person has changed plan, limits or branch since a run ended: then a session gets the same answer again, and no run
 * begins (R-SES-1). A run that is complete stays so while every task is done.
 */
export function isUnchanged({ ended, tasks, policy }: RunState, now: SinceEnd): boolean {
  switch (ended?.result) {
    case 'completed':
      return now.tasks.every((task) => task.checked || isLeftOut(task, now.policy)) && !wantsMore(policy, now.policy);
    case 'stuck':
    case 'limit':
    case 'waiting':
      return (
        !now.isPlanEdited &&
        now.head === now.endedAt &&
        LIMITS.every((limit) => policy[limit] === now.policy[limit]) &&
        JSON.stringify(tasks) === JSON.stringify(now.tasks)
      );
    default:
      return false;
  }
}

/** Whether a pull request is wanted that was not. */
function wantsMore(before: Policy, now: Policy): boolean {
  return now.pullRequest !== undefined && before.pullRequest === undefined;
}
