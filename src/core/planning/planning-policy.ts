import type { Policy } from '../policy.ts';

/** The policy of a run of planning: what is about code and its tests has no meaning for documents (R-PLAN-2). */
export function planningPolicy(policy: Policy): Policy {
  const { testCommand: _tests, pullRequest: _pullRequest, ...rest } = policy;
  return {
    ...rest,
    bookkeeping: 'coordinator',
    isolation: 'worktree',
    recoveryMode: false,
    keepFailedChanges: false,
  };
}
