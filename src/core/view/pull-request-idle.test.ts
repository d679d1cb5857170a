import { expect, test } from 'vitest';
import { beforeFirstStep } from '../pull-request/state.ts';
import { pullRequestIdle } from './pull-request-idle.ts';

const open = { ...beforeFirstStep, pullRequest: { number: 7, url: '' } };

test('a screen tells what is done for the pull request, and how long is waited (R-UX-2)', () => {
  expect(pullRequestIdle({ ...beforeFirstStep, underWay: 'push' }, 0)).toBe('pushing the branch');
  const waiting = { ...open, underWay: 'wait', pause: { untilMs: 130_000, why: 'checks' } } as const;
  expect(pullRequestIdle(waiting, 10_000)).toBe('pull request 7: waiting for the checks, 2m00s left');
  expect(pullRequestIdle(waiting, 200_000)).toBe('pull request 7: waiting for the checks');
  const troubled = { ...waiting, pause: { untilMs: 130_000, why: 'trouble' } } as const;
  expect(pullRequestIdle(troubled, 100_000)).toBe('pull request 7: waiting for the forge, 30s left');
  expect(pullRequestIdle(open, 0)).toBe('');
});
