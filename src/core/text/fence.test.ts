import { expect, test } from 'vitest';
import { fenced } from './fence.ts';

test('a fence is longer than any run of back-ticks inside it, and the text stays as it is', () => {
  expect(fenced('a', 'json')).toBe('````json\na\n````');
  expect(fenced('````\r\na')).toBe('`````\n````\r\na\n`````');
});

test('a run that only a terminal would join does not close the fence', () => {
  expect(fenced('```\u001b[0m``')).toMatch(/^`{6}\n/);
});
