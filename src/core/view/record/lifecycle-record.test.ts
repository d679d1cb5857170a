import { expect, test } from 'vitest';
import type { PullRequest } from '../../pull-request/seen.ts';
import { begun, envelopes, task } from '../test-rig.ts';
import { taskRecord } from './record.ts';

const at = '2026-01-01T12:00:00.000Z';
const pullRequest: PullRequest = {
  number: 7,
  url: 'https://github.com/acme/app/pull/7',
  state: 'open',
  head: 'c0ffee01',
  base: 'main',
  isDraft: false,
  title: '',
  body: '',
  mergeable: 'yes',
};

test('a task that the lifecycle did has its evidence: pull request, commit, checks, and its own command (R-PR-9, R-VER-9)', () => {
  const record = taskRecord(
    envelopes(
      begun([task('5.1', { isOfLifecycle: true, verifyCommand: 'gh pr checks' }), task('5.2')]),
      { type: 'branch-pushed', at, commit: 'c0ffee01', isNew: true },
      { type: 'pull-request-opened', at, pullRequest, isNew: false },
      {
        type: 'pull-request-seen',
        at,
        pullRequest,
        checks: [{ name: 'CI / test', state: 'passed', isRequired: true }],
        threads: [],
        changesRequested: [],
        answeredReviews: [],
      },
      {
        type: 'lifecycle-recorded',
        at,
        head: 'c0ffee02',
        done: [{ task: '5.1', command: 'gh pr checks', output: 'all green' }],
      },
    ),
    '5.1',
  );
  for (const part of [
    'Done in commit c0ffee02',
    pullRequest.url,
    'pushed at c0ffee01',
    'CI / test',
    '`gh pr checks`, exit code 0',
    'all green',
  ])
    expect(record).toContain(part);
});
