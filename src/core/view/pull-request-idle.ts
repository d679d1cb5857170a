import type { PullRequestState } from '../pull-request/state.ts';
import { durationText } from '../text/words.ts';

const DOING: { readonly [Step in NonNullable<PullRequestState['underWay']>]: string } = {
  push: 'pushing the branch',
  compare: 'comparing the branch with the remote',
  open: 'opening the pull request',
  look: 'looking at the checks',
  rerun: 'starting a check again',
  merge: 'merging the base',
  adopt: 'merging the base',
  plan: 'adding tasks to the plan',
  answer: 'answering comments',
  record: 'recording what is done',
  wait: 'waiting for the checks',
};

/** What is done for the pull request at this moment, in a few words; empty if nothing is. */
export function pullRequestIdle({ underWay, pause, pullRequest }: PullRequestState, nowMs: number): string {
  if (underWay === undefined) return '';
  const name = pullRequest === undefined ? '' : `pull request ${pullRequest.number}: `;
  const leftMs = underWay === 'wait' && pause ? Math.max(0, pause.untilMs - nowMs) : 0;
  const what = underWay === 'wait' && pause?.why === 'trouble' ? 'waiting for the forge' : DOING[underWay];
  return `${name}${what}${leftMs > 0 ? `, ${durationText(leftMs)} left` : ''}`;
}
