import { expect, test } from 'vitest';
import { checkMerge, topicsFor } from './topics.ts';

const PARTS = ['code', 'outside'] as const;
const FILE = 'specs/login/research.md';

test('research is divided by class and by what code found, up to the number that is asked for (R-PLAN-2)', () => {
  const topics = (goalClass: 'mid-sized' | 'bug-fix', max: number, isToolingUnknown = false) =>
    topicsFor({ goalClass, max, isToolingUnknown });
  expect(topics('mid-sized', 2, true)).toEqual(['code', 'outside']);
  expect(topics('mid-sized', 3, true)).toEqual(['code', 'outside', 'tooling']);
  expect(topics('mid-sized', 3)).toEqual(['code', 'outside']);
  expect(topics('mid-sized', 1)).toEqual([]);
  expect(topics('bug-fix', 3)).toEqual([]);
});

test('a merge names each part; one that is missing is reported and sends nothing back (R-PLAN-2)', () => {
  const check = (text: string, there: readonly ('code' | 'outside')[]) =>
    checkMerge({ file: FILE, text, parts: PARTS, there }).map(({ severity, message }) => `${severity}: ${message}`);
  const whole = '## Topics\n- code: fine.\n- **outside**: nothing.\n';
  expect(check(whole, PARTS)).toEqual([]);
  expect(check('From `.research-code.md` and `.research-outside.md`.', PARTS)).toEqual([]);
  expect(check('The code is fine.\n- outside: nothing.\n', PARTS)).toEqual(['finding: The part "code" is not named.']);
  expect(check(whole, ['code'])).toEqual(['warning: The topic "outside" was not researched: its agent failed.']);
});
