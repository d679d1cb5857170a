import { expect, test } from 'vitest';
import { defaultPullRequestPolicy } from '../pull-request/policy.ts';
import type { Check, PullRequest } from '../pull-request/seen.ts';
import type { RunEvent } from './data/event.ts';
import { checked, committed, names, plannedTask, play, returned } from './test-rig.ts';

const at = '2026-01-01T00:00:00.000Z';
const policy = { review: 'off', pullRequest: { ...defaultPullRequestPolicy, noChecks: 'accept' } } as const;
const fix = plannedTask('5.1', { verifyKind: 'none', verifyCommand: null, from: 'check c0ffee ci/outside' });
const pushed = (commit: string): RunEvent => ({ type: 'branch-pushed', at, commit, isNew: true });
const pullRequest: PullRequest = {
  number: 1,
  url: 'https://github.com/acme/app/pull/1',
  state: 'open',
  head: 'h1',
  base: 'main',
  isDraft: false,
  title: '',
  body: '',
  mergeable: 'yes',
};
const opened: RunEvent = { type: 'pull-request-opened', at, pullRequest, isNew: false };
const seen = (head: string, state: Check['state'], name = 'ci/outside'): RunEvent => ({
  type: 'pull-request-seen',
  at,
  pullRequest: { ...pullRequest, head },
  checks: [{ name, state, isRequired: true }],
  threads: [],
  changesRequested: [],
  answeredReviews: [],
});
const held: RunEvent = { type: 'work-held', task: '5.1', attempt: 1, commit: 'h1', head: 'h1' };
const waited: RunEvent = { type: 'waited' };
/** The fix is made, committed without a tick, pushed, and looked at. */
const made: readonly RunEvent[] = [returned('5.1'), checked('5.1'), held, pushed('h1'), opened, waited];

test('a fix that no command proves is pushed before it is ticked, and its check decides (R-PR-2)', () => {
  const accepted = play([fix], policy, ...made.slice(0, 2));
  expect(names(accepted.effects)).toEqual(['hold 5.1']);
  const kept = play([fix], policy, ...made.slice(0, 3));
  expect(kept.effects).toMatchObject([{ do: 'pull-request', step: 'push', commit: 'h1' }]);
  expect(kept.state.tasks[0]?.checked).toBe(false);
  const green = play([fix], policy, ...made, seen('h1', 'passed'));
  expect(names(green.effects)).toEqual(['check 5.1']);
  const proved = play([fix], policy, ...made, seen('h1', 'passed'), checked('5.1'));
  expect(names(proved.effects)).toEqual(['commit 5.1']);
  const recorded = play([fix], policy, ...made, seen('h1', 'passed'), checked('5.1'), committed('5.1', 'h2'));
  expect(recorded.state.tasks[0]?.checked).toBe(true);
  expect(recorded.effects).toMatchObject([{ do: 'pull-request', step: 'push', commit: 'h2' }]);
});

test('a check that is red again rejects the work; one that is pending, or of another commit, says nothing (R-PR-2, R-PR-10)', () => {
  const red = play([fix], policy, ...made, seen('h1', 'failed'));
  expect(names(red.effects)).toEqual(['set-aside 5.1']);
  expect(red.state.progress.get('5.1')).toMatchObject({ failure: { layer: 'verify' }, blame: 'task' });
  expect(red.state.progress.get('5.1')?.held).toBeUndefined();
  for (const look of [seen('h1', 'pending'), seen('old', 'passed'), seen('h1', 'passed', 'another')])
    expect(play([fix], policy, ...made, look).state.progress.get('5.1')?.at).toBe('awaiting');
});

test('work whose check is gone is never taken as done (R-PR-5)', () => {
  const { effects } = play([fix], policy, ...made, seen('h1', 'passed', 'another'));
  expect(names(effects)).toEqual(['wait']);
});

test('work that waits for its check still waits after a restart; a commit of it that was cut off is made again (R-ADV-2)', () => {
  const resumed: RunEvent = { type: 'run-resumed', head: 'h1' };
  expect(play([fix], policy, ...made, resumed).state.progress.get('5.1')?.at).toBe('awaiting');
  const cutOff = play([fix], policy, ...made.slice(0, 2), { ...resumed, head: 'c0' });
  expect(names(cutOff.effects)).toEqual(['check 5.1']);
});
