import { describe, expect, test } from 'vitest';
import { parsePlan } from '../read/parse.ts';
import { isLifecyclePhase, isLifecycleTask } from './lifecycle.ts';

/** The first task of a plan with one section and one task. */
function own(title: string, { phase = 'Phase 5: PR Lifecycle', fields = [] as readonly string[] } = {}): boolean {
  const { tasks } = parsePlan(`## ${phase}\n\n- [ ] 5.1 ${title}\n${fields.map((field) => `  - ${field}\n`).join('')}`);
  if (tasks[0] === undefined) throw new Error('The plan has no task.');
  return isLifecycleTask(tasks[0]);
}

test.each([
  'Phase 5: PR Lifecycle',
  'Phase 4: PR Lifecycle (Continuous Validation)',
  'Phase 5.5: Pull-Request Lifecycle',
  'PR life cycle',
  'pull request life-cycle',
])('the section "%s" sends a run on its way to a pull request (R-ADV-4)', (phase) => {
  expect(isLifecyclePhase(phase)).toBe(true);
});

test.each([
  undefined,
  'Phase 5: Quality',
  'Phase 5: Lifecycle of a request',
  'Phase 5: Spring Lifecycle',
  'Phase 5: PR',
])('the section "%s" does not (R-ADV-4)', (phase) => {
  expect(isLifecyclePhase(phase)).toBe(false);
});

describe('a task of that section that the lifecycle does itself (R-PR-9)', () => {
  test.each([
    'Create PR',
    'Create the pull request and verify it',
    'Open a draft PR and push',
    'Watch CI and fix failures',
    '[VERIFY] The CI pipeline passes',
    'Push the newest changes',
    'Address review comments',
    'Address code review comments',
    'Mark the PR as ready for review',
    'Wait for all checks',
  ])('%s', (title) => {
    expect(own(title)).toBe(true);
  });

  test.each([
    ['a command of gh', '**Verify**: `gh pr checks --watch`'],
    ['prose', '**Verify**: All checks are green.'],
    ['none', '**Done when**: The pull request is open.'],
  ])('whose Verify is %s', (_, field) => {
    expect(own('CI passes', { fields: [field] })).toBe(true);
  });
});

describe('a task that an agent does (R-PR-9)', () => {
  test.each([
    ['a command of the project decides', 'CI passes', { fields: ['**Verify**: `npm test`'] }],
    ['a command only names gh', 'CI passes', { fields: ['**Verify**: `npm test && gh pr checks`'] }],
    ['a program only begins like gh', 'CI passes', { fields: ['**Verify**: `ghost pr`'] }],
    ['it is of another section', 'Create PR', { phase: 'Phase 4: Quality' }],
    ['it speaks of something else', 'Update the changelog', {}],
    ['it speaks of work that is listed', 'Go through the acceptance criteria before the review', {}],
    ['it is about this machine', '[VERIFY] Full local CI', {}],
    ['it is a gate of quality', 'Quality gate by the reviewer', {}],
    ['it was made from a check', 'Fix CI failure: test', { fields: ['**From**: `check 0123456789ab test`'] }],
    ['it was made from a comment', 'Address review: ada - x', { fields: ['**From**: `thread T C 01234567`'] }],
    ['it is a fix task', '[FIX 5.1] Fix: CI passes', {}],
    ['a word only holds such a word', 'Prune the preview of the circuit', {}],
  ])('as %s: %s', (_, title, rest) => {
    expect(own(title, rest)).toBe(false);
  });
});
