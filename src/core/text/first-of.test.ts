import { expect, test } from 'vitest';
import { firstOf } from './first-of.ts';

test('the first of several texts are named, and how many more there are', () => {
  expect(firstOf(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(firstOf(['a', 'b'], 2)).toBe('a, b');
  expect(firstOf([], 2)).toBe('');
});
