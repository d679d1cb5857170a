import { expect, test } from 'vitest';
import { afterListMark, isRule } from './line-forms.ts';

test.each([
  ['- a', 2],
  ['  *\ta', 4],
  ['+', 1],
  ['+\r\n', 1],
  ['- \n', 2],
  ['1. a', 3],
  ['123456789) a', 11],
])('%j is a list item (R-READ-1)', (text, after) => {
  expect(afterListMark(text, 0)).toBe(after);
});

test.each(['', '-a', '--- a', '1 a', '1.a', '1234567890. a', '. a', '_ a'])('%j is no list item (R-READ-1)', (text) => {
  expect(afterListMark(text, 0)).toBeUndefined();
});

test.each([
  ['---', true],
  ['* * *', true],
  ['_\t__ \u00a0', true],
  ['--', false],
  ['- - a', false],
  ['-*-', false],
  ['===', false],
  ['-'.repeat(199), true],
  ['-'.repeat(200), false],
])('whether %j is a rule: %s (R-READ-9)', (text, expected) => {
  expect(isRule(`ab${text}\nc`, 2, 2 + text.length)).toBe(expected);
});
