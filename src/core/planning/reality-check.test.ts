import { expect, test } from 'vitest';
import { realityBefore, withAcceptedReality, withRealityCheck } from './reality-check.ts';

const check = (exitCode: number, output = 'it broke\n') =>
  ({ when: 'before', command: 'npm test -- `a`', how: 'exited', exitCode, output }) as const;

test('what the command did is kept once, with exit code and the end of its output, and read again (R-BUG-1)', () => {
  const before = '# demo\n\n## Original Goal\ng\n\n## Learnings\n- l\n';
  const failed = withRealityCheck(before, check(1));
  expect(failed).toContain('## Reality Check (BEFORE)\n- Command: `` npm test -- `a` ``\n- Result: exit code 1\n');
  expect(failed).toMatch(/it broke\n````\n\n## Learnings\n- l\n$/);
  expect(withRealityCheck(failed, check(1))).toBe(failed);
  expect(realityBefore(failed)).toEqual({ command: 'npm test -- `a`', isReproduced: true, isAccepted: false });
  expect(realityBefore(before)).toBeUndefined();
});

test.each([
  [0, false],
  [1, true],
  [127, false],
])('a command that exits with %i shows the defect: %s (R-BUG-1)', (exitCode, isReproduced) => {
  expect(realityBefore(withRealityCheck('', check(exitCode)))).toMatchObject({ isReproduced });
});

test('a command that cannot be run says nothing of the defect (R-BUG-1)', () => {
  expect(withRealityCheck('', check(127))).toContain('- Defect shown: unknown\n');
  expect(realityBefore(withRealityCheck('', check(126)))).toMatchObject({ isReproduced: false });
});

test('a person goes on although the defect was not seen, until the command is run again (R-BUG-1)', () => {
  const passed = withRealityCheck('', check(0));
  const accepted = withAcceptedReality(passed, { by: 'Ann', at: '2030-01-01T00:00:00.000Z' });
  expect(realityBefore(accepted)).toMatchObject({ isAccepted: true });
  expect(withRealityCheck(accepted, check(0))).toBe(accepted);
  expect(realityBefore(withRealityCheck(accepted, check(0, 'other')))).toMatchObject({ isAccepted: false });
});

test('the check after the fix is a section of its own (R-BUG-1)', () => {
  const both = withRealityCheck(withRealityCheck('', check(1)), { ...check(0, ''), when: 'after' });
  expect(both).toMatch(
    /## Reality Check \(BEFORE\)[\s\S]*exit code 1[\s\S]*## Reality Check \(AFTER\)[\s\S]*exit code 0/,
  );
});
