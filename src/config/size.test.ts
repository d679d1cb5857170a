import { expect, test } from 'vitest';
import { sizeBytes } from './size.ts';

test.each([
  [12_000, 12_000],
  ['12000', 12_000],
  ['200kB', 200_000],
  ['200 KB', 200_000],
  ['1.5MB', 1_500_000],
])('%j is %d bytes (R-AGT-7)', (value, bytes) => {
  expect(sizeBytes(value)).toBe(bytes);
});

test.each(['', 'kB', '-1', '12 GB', '200k', '999', '101MB', 999])('%j is no size', (value) => {
  expect(sizeBytes(value)).toBeUndefined();
});
