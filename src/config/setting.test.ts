import { expect, test } from 'vitest';
import { namesAt, settings } from './setting.ts';

/** Section 15 fixes these: scripts rely on them. */
const FIXED =
  '--agent --agent-command --max-task-iterations --max-global-iterations --recovery-mode --jobs --isolation --bookkeeping --review --keep-failed-changes --pass-env --parallel-overlap --scope --task-timeout --idle-timeout --verify-timeout --max-cost --max-time --allow-dirty --allow-default-branch';

test('every option of implement is a setting too, and a variable (R-API-1)', () => {
  const flagged = settings.filter(({ flag }) => flag !== undefined);
  expect(flagged.map(({ flag }) => flag)).toEqual(expect.arrayContaining(FIXED.split(' ')));
  expect(flagged.map(({ variable }) => variable)).toContain('SPECLOOP_MAX_TASK_ITERATIONS');
  expect(new Set(flagged.map(({ variable }) => variable)).size).toBe(flagged.length);
});

test('every setting is described in a sentence', () => {
  expect(settings.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
});

test('the names of a group are those of the schema', () => {
  expect(namesAt(['roles'])).toEqual([
    'executor',
    'verifier',
    'reviewer',
    'researcher',
    'product-manager',
    'architect',
    'planner',
  ]);
  expect(namesAt(['jobs'])).toEqual([]);
  expect(namesAt(['nothing', 'here'])).toEqual([]);
});
