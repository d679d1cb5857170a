import { expect, test } from 'vitest';
import { counted, durationText, shortHash, spentText, taskName } from './words.ts';

test.each([
  [0, '0s'],
  [-5, '0s'],
  [840, '0.8s'],
  [9_999, '9.9s'],
  [32_400, '32s'],
  [252_000, '4m12s'],
  [3_599_999, '59m59s'],
  [3_900_000, '1h05m'],
  [100 * 3_600_000, '100h00m'],
])('%i ms read %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('what no agent reported is not called zero (R-DEL-8)', () => {
  expect(spentText({ costUsd: 0, tokens: 0 })).toBeUndefined();
  expect(spentText({ costUsd: 0, tokens: 999 })).toBe('999 tokens');
  expect(spentText({ costUsd: 1.239, tokens: 12_345 })).toBe('1.24 USD, 12.3k tokens');
});

test('a task is named by id and title, in one line of bounded length', () => {
  expect(taskName({ id: '1.2', title: `Add\n${'x'.repeat(200)}` })).toBe(`1.2 Add ${'x'.repeat(75)}…`);
});

test('counts and commits read as people say them', () => {
  expect([counted(1, 'task'), counted(0, 'task'), shortHash('4f1c9abdeadbeef')]).toEqual([
    '1 task',
    '0 tasks',
    '4f1c9ab',
  ]);
});
