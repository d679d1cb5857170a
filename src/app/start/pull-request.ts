import type { Settings } from '../../config/schema.ts';
import { isLifecyclePhase, isLifecycleTask, originOf } from '../../core/plan/data/lifecycle.ts';
import type { Plan, Task } from '../../core/plan/data/task.ts';
import type { Policy } from '../../core/policy.ts';
import { defaultPullRequestPolicy, type PullRequestPolicy } from '../../core/pull-request/policy.ts';
import { UserError } from '../../core/user-error.ts';
import type { StartOrder } from './order.ts';
import type { FactsAtStart } from './ready.ts';

/**
 * Whether a run of this plan goes on to a pull request: as it was asked for, now or when the run that is resumed began; else as
 * the plan says (R-PR-8).
 */
export function wantsPullRequest(
  { tasks }: Plan,
  { pullRequest, facts }: Pick<StartOrder, 'pullRequest'> & { readonly facts: Pick<FactsAtStart, 'hadPullRequest'> },
): boolean {
  return pullRequest ?? (facts.hadPullRequest || tasks.some((task) => isLifecyclePhase(task.phase) && !task.checked));
}

/** The policy with or without the way of the pull request. */
export function withPullRequest(policy: Policy, settings: Settings, isWanted: boolean): Policy {
  const { pullRequest: _before, ...rest } = policy;
  return isWanted ? { ...rest, pullRequest: pullRequestPolicy(settings) } : rest;
}

function pullRequestPolicy({ pr = {} }: Pick<Settings, 'pr'>): PullRequestPolicy {
  const set = {
    intervalMs: pr.interval,
    limitMs: pr.limit,
    maxCycles: pr.maxCycles,
    maxFixesPerCheck: pr.maxFixesPerCheck,
    base: pr.base,
    isDraft: pr.draft,
    reviewers: pr.reviewers,
    labels: pr.labels,
    resolves: pr.resolve,
    noChecks: pr.noChecks,
    noChecksWaitMs: pr.noChecksWait,
    bots: pr.bots?.map((name) => name.replace(/\[bot\]$/, '')), // As GitHub shows them to people.
  };
  const known = Object.entries(set).filter(([, value]) => value !== undefined);
  return { ...defaultPullRequestPolicy, ...Object.fromEntries(known) };
}

/** `specloop pr` begins where the agents are done, fixes that it planned itself aside. Throws `UserError` if they are not. */
export function requireDone({ tasks }: Plan): void {
  const isLeft = (task: Task) =>
    !task.checked && !task.optional && !isLifecycleTask(task) && originOf(task) === undefined;
  const open = tasks.filter(isLeft);
  if (open.length === 0) return;
  throw new UserError(
    `${open.length} of ${tasks.length} tasks are not done: ${open
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ')}${open.length > 5 ? ', …' : ''}.`,
    'Run them first: "specloop implement --pr" goes on to the pull request by itself.',
  );
}
