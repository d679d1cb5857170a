import { expect, test } from 'vitest';
import { boundedAnswer, KeptLines, lastWords, sentence, wholeLines } from './printed.ts';

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

test('of an answer over a mebibyte, the last whole lines are kept, and those above that count against it (R-DEL-4, R-DEL-6)', () => {
  const long = `VERIFICATION_FAIL\n${'a line\n'.repeat(200_000)}VERIFICATION_PASS`;
  const kept = boundedAnswer(long, (line) => line.includes('FAIL'));
  expect(kept.length).toBeLessThanOrEqual(1024 * 1024 + 20);
  expect(kept).toMatch(/^VERIFICATION_FAIL\n\na line\n/);
  expect(kept).toMatch(/\na line\nVERIFICATION_PASS$/);
  expect(boundedAnswer(long)).toMatch(/^a line\n/);
  expect(boundedAnswer('short', () => true)).toBe('short');
});

test('kept lines are bounded, and above an answer that was not cut there are none (R-DEL-6)', () => {
  const lines = new KeptLines(() => true);
  for (let n = 0; n < 10_000; n++) lines.take(`${n} ${'x'.repeat(1_000)}`);
  expect(lines.above({ text: 'all', truncated: false })).toBe('all');
  expect(lines.above({ text: 'cut\nthe rest', truncated: true }).length).toBeLessThan(70_000);
});
