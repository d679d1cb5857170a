import { ignoredRequests, openRequests, taskFrom } from '../../core/pull-request/assess.ts';
import { defaultPullRequestPolicy } from '../../core/pull-request/policy.ts';
import type { Check } from '../../core/pull-request/seen.ts';
import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';

/** What the newest run knows of the pull request, as of its newest look. */
export interface PullRequestStatus {
  readonly number: number | null;
  readonly url: string | null;
  readonly state: 'open' | 'closed' | 'merged' | null;
  /** The commit that was pushed last. */
  readonly head: string | null;
  readonly checks: readonly Pick<Check, 'name' | 'state' | 'isRequired'>[];
  /** Review comments that have no answer yet, and the task that was made from each. */
  readonly comments: readonly {
    readonly author: string;
    readonly path: string | null;
    readonly url: string;
    readonly task: string | null;
  }[];
  /** Discussions by people who may not write to the repository. */
  readonly ignored: number;
  /** How often it was waited and looked again. */
  readonly cycles: number;
}

/** The pull request as a run left it; null if the run has none. */
export function pullRequestStatus(
  { pullRequest, policy, tasks }: RunState,
  envelopes: readonly Envelope[],
): PullRequestStatus | null {
  if (pullRequest === undefined) return null;
  const rules = policy.pullRequest ?? defaultPullRequestPolicy;
  const event = envelopes.findLast(({ event: { type } }) => type === 'pull-request-seen')?.event;
  const seen = event?.type === 'pull-request-seen' ? event : undefined;
  const requests = seen === undefined ? [] : openRequests(seen, rules);
  return {
    number: pullRequest.pullRequest?.number ?? null,
    url: pullRequest.pullRequest?.url ?? null,
    state: seen?.pullRequest.state ?? null,
    head: pullRequest.pushed ?? null,
    checks: (seen?.checks ?? []).map(({ name, state, isRequired }) => ({ name, state, isRequired })),
    comments: requests.map((request) => {
      const comment = request.kind === 'thread' ? request.comment : request.review;
      return {
        author: comment.author.name,
        path: request.kind === 'thread' ? (request.thread.path ?? null) : null,
        url: comment.url,
        task: taskFrom(tasks, request.origin)?.id ?? null,
      };
    }),
    ignored: seen === undefined ? 0 : ignoredRequests(seen, rules),
    cycles: pullRequest.cycles,
  };
}
