import { expect, test } from 'vitest';
import { markOf } from '../../core/pull-request/marks.ts';
import { answers, isSameAnswer } from './marks.ts';

test('an answer names what it answers by its mark (R-PR-12)', () => {
  const text = `Done in abc.\n\n${markOf('PRR_1')}`;
  expect(answers(text, 'PRR_1')).toBe(true);
  expect(answers(text, 'PRR_12')).toBe(false);
  expect(answers('Done: PRR_1', 'PRR_1')).toBe(false);
});

test('two answers with one mark are the same, however they are worded; without marks the words decide (R-PR-12)', () => {
  expect(isSameAnswer(`Done.\n${markOf('a')}`, `Done in abc.\r\n${markOf('a')}`)).toBe(true);
  expect(isSameAnswer(`Done.\n${markOf('a')}`, `Done.\n${markOf('b')}`)).toBe(false);
  expect(isSameAnswer('Done.\n', 'Done.')).toBe(true);
  expect(isSameAnswer('Done.', `Done.\n${markOf('a')}`)).toBe(false);
});
