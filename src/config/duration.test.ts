import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationMs } from './duration.ts';

test.each([
  [90, 90_000],
  [1.5, 1_500],
  ['90', 90_000],
  ['500ms', 500],
  ['90s', 90_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1.5h', 5_400_000],
])('%s is %i ms (R-UX-1)', (value, ms) => {
  expect(durationMs(value)).toBe(ms);
});

test.each([
  0,
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  '0',
  '0.4ms',
  '-5s',
  '5 m',
  '5d',
  '1e3',
  'm',
  '25h5m',
  '577h',
])('%s is no duration (R-UX-1)', (value) => {
  expect(durationMs(value)).toBeUndefined();
});

test('no duration is too long for a timer, whatever is asked for', () => {
  fc.assert(
    fc.property(fc.double({ min: 0 }), fc.constantFrom('', 'ms', 's', 'm', 'h'), (amount, unit) => {
      const ms = durationMs(`${amount}${unit}`) ?? 1;
      expect(ms).toBeGreaterThanOrEqual(1);
      expect(ms).toBeLessThan(2 ** 31);
    }),
  );
});
