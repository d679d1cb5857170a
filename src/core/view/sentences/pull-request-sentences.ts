import { ignoredRequests, openRequests, readChecks } from '../../pull-request/assess.ts';
import type { PullRequestEvent, PullRequestEventOf } from '../../pull-request/event.ts';
import { defaultPullRequestPolicy } from '../../pull-request/policy.ts';
import type { PullRequestStep } from '../../pull-request/step.ts';
import type { RunState } from '../../run/data/state.ts';
import { counted, shortHash } from '../../text/words.ts';
import { each, idOf, list, shown } from './phrases.ts';

/** What happened on the way of the pull request, in one sentence or a few. */
export function pullRequestSentence(event: PullRequestEvent, after: RunState): string | undefined {
  switch (event.type) {
    case 'branch-pushed':
      return event.isNew ? `Pushed ${shown(after.branch)} at ${shortHash(event.commit)}.` : undefined;
    case 'push-refused':
      return `The push was refused (${event.cause}).`;
    case 'branch-compared':
      return comparedSentence(event);
    case 'base-merged':
      return `Merging ${shown(event.base)}: ${event.conflicts.length === 0 ? 'no conflicts' : `conflicts in ${list(event.conflicts)}`}.`;
    case 'pull-request-opened':
      return `Pull request ${event.pullRequest.number}${event.isNew ? ' opened' : ''}: ${shown(event.pullRequest.url)}`;
    case 'pull-request-seen':
      return seenSentence(event, after);
    case 'check-rerun':
      return event.isRunning
        ? `The check ${shown(event.check)} was cut off; it runs again.`
        : `The check ${shown(event.check)} was cut off and cannot be run again.`;
    case 'tasks-planned': {
      const ids = event.inserted.flatMap(({ tasks }) => tasks.map(({ id }) => shown(id)));
      return ids.length === 0 ? undefined : `Added to the plan: ${ids.join(', ')}.`;
    }
    case 'comment-answered': {
      const what = event.to.kind === 'thread' ? 'a review thread' : `the review of ${shown(event.to.author)}`;
      return `${event.task === undefined ? '' : `${idOf(after, event.task)}: `}answered ${what}.`;
    }
    case 'lifecycle-recorded':
      return event.done.length === 0
        ? undefined
        : `Done with the pull request: ${event.done.map(({ task }) => idOf(after, task)).join(', ')}.`;
    case 'lifecycle-unproved':
      return `${idOf(after, event.task)}: its Verify command failed: ${shown(event.command)}`;
    case 'forge-failed':
      return shown(event.message);
  }
}

function comparedSentence({ relation, head }: PullRequestEventOf<'branch-compared'>): string | undefined {
  switch (relation) {
    case 'same':
      return undefined;
    case 'ahead':
      return `Somebody pushed to the branch; it is at ${shortHash(head)} here as well now.`;
    case 'merged':
      return `Somebody pushed to the branch; their commits are merged in ${shortHash(head)}.`;
    case 'blocked':
      return 'Somebody pushed to the branch, and their commits cannot be taken in.';
    case 'rewritten':
      return 'Somebody rewrote the branch on the remote.';
    case 'gone':
      return 'Somebody deleted the branch on the remote.';
  }
}

function seenSentence(seen: PullRequestEventOf<'pull-request-seen'>, { policy }: RunState): string {
  const { deciding, failed, cutOff, pending } = readChecks(seen.checks);
  const passed = deciding.length - failed.length - cutOff.length - pending.length;
  const parts = [
    ...(deciding.length === 0 ? ['no checks'] : [`${passed} of ${counted(deciding.length, 'check')} passed`]),
    ...(pending.length > 0 ? [`${pending.length} pending`] : []),
    ...(failed.length + cutOff.length > 0 ? [`failed: ${list([...failed, ...cutOff].map(({ name }) => name))}`] : []),
  ];
  const rules = policy.pullRequest ?? defaultPullRequestPolicy;
  const open = openRequests(seen, rules).length;
  const ignored = ignoredRequests(seen, rules);
  return each(
    `Checks of ${shortHash(seen.pullRequest.head)}: ${parts.join(', ')}${open > 0 ? `; ${counted(open, 'comment')} to address` : ''}.`,
    ignored > 0
      ? `${counted(ignored, 'discussion')} by people without write access ${ignored === 1 ? 'is' : 'are'} left alone.`
      : undefined,
  ) as string;
}

/** What a step of the lifecycle begins with; most need no word. */
export function stepSentence({ step }: PullRequestStep): string | undefined {
  return step === 'open' ? 'Looking for the pull request.' : undefined;
}
