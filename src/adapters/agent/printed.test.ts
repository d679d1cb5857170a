import { expect, test } from 'vitest';
import { lastWords, sentence, wholeLines } from './printed.ts';

test('the rest of a line that was cut does not pass for a line (R-DEL-4)', () => {
  expect(wholeLines({ text: 'TASK_COMPLETE\nand so on\n', truncated: true })).toBe('and so on\n');
  expect(wholeLines({ text: 'TASK_COMPLETE', truncated: true })).toBe('');
  expect(wholeLines({ text: 'TASK_COMPLETE\n', truncated: false })).toBe('TASK_COMPLETE\n');
});

test('the last words are the last line that says something, without terminal escapes (R-SEC-2)', () => {
  expect(lastWords('first\n\u001b[31mError: no\u0007\u001b[0m such model\n\n')).toBe('Error: no such model');
  expect(lastWords(' \n')).toBe('');
});

test('the last words are short enough for a message', () => {
  expect(lastWords('x'.repeat(10_000)).length).toBeLessThan(400);
});

test('a sentence ends once', () => {
  expect(['It broke', 'It broke.', 'Why?'].map(sentence)).toEqual(['It broke.', 'It broke.', 'Why?']);
});
