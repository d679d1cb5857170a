import { defaultPullRequestPolicy } from '../../../src/core/pull-request/policy.ts';
import type { Scenario } from '../scenario.ts';
import { planOf, scripted } from '../scenarios.ts';
import { LISTED_BOT } from './hosted.ts';
import type { CheckScript } from './script.ts';

const MINUTE_MS = 60_000;

export const check = (name: string, more: Partial<CheckScript> = {}): CheckScript => ({
  name,
  isRequired: true,
  appearsAfter: 0,
  endsAfter: 5,
  results: ['passed'],
  again: 'passed',
  ...more,
});

export const OWN_TASKS = [
  '',
  '## Phase 5: PR Lifecycle',
  '',
  '- [ ] 5.1 Create the pull request',
  '  - **Verify**: `gh pr view`',
  '- [ ] 5.2 Wait until all checks are green',
  '',
].join('\n');

export const pullRequest = { ...defaultPullRequestPolicy, intervalMs: 3 * MINUTE_MS, bots: [LISTED_BOT] };

const base = {
  dirty: [],
  specCommitted: true,
  reruns: 0,
  isAmple: true,
  isHonest: true,
  plan: `${planOf('1.1', '1.2')}${OWN_TASKS}`,
  policy: { review: 'off', maxTaskIterations: 8, pullRequest },
  deed: scripted({}),
} as const;

/** A check is red twice, one is cut off once. */
export const redChecks: Scenario = {
  ...base,
  name: 'red checks',
  plan: planOf('1.1'),
  hosted: {
    checks: [
      check('build', { results: ['failed', 'failed', 'passed'], endsAfter: 4 }),
      check('test', { results: ['cut-off', 'passed'], endsAfter: 2 }),
      check('style', { results: ['failed'], isRequired: false }),
    ],
    acts: [],
    completes: true,
  },
};

/** People and bots comment, ask for changes and write again; the forge fails now and then. */
export const reviewers: Scenario = {
  ...base,
  name: 'reviewers',
  policy: { ...base.policy, pullRequest: { ...pullRequest, resolves: true } },
  dirty: [
    { path: 'README.md', text: 'mine\n', staged: true },
    { path: 'draft/mine.txt', text: 'my draft\n', staged: false },
  ],
  hosted: {
    checks: [check('build')],
    completes: true,
    acts: [
      { at: 6, act: 'comments' },
      { at: 6, act: 'comments without rights' },
      { at: 6, act: 'a listed bot comments' },
      { at: 6, act: 'another bot comments' },
      { at: 7, act: 'asks for changes' },
      { at: 8, act: 'unavailable, after it was done' },
      { at: 12, act: 'replies' },
      { at: 15, act: 'limited' },
    ],
  },
};

/** Somebody pushes to the branch, the base moves in conflict with it, and there is no check. */
export const others: Scenario = {
  ...base,
  name: 'others',
  plan: planOf('1.1', '1.2'),
  hosted: {
    checks: [],
    completes: true,
    acts: [
      { at: 6, act: 'pushes' },
      { at: 9, act: 'changes the base in conflict' },
      { at: 15, act: 'comments' },
      { at: 16, act: 'pushes' },
    ],
  },
};
