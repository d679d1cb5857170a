import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantMs, instantText } from './instant.ts';

test('an instant is read as the system reads it, whatever the day', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2400-01-01T00:00:00Z'), noInvalidDate: true }),
      (date) => {
        expect(instantMs(date.toISOString())).toBe(date.getTime());
      },
    ),
  );
});

test('an instant may leave out the fraction or give more digits than milliseconds', () => {
  expect(instantMs('2024-02-29T12:00:00Z')).toBe(Date.parse('2024-02-29T12:00:00Z'));
  expect(instantMs('2024-02-29T12:00:00.123456Z')).toBe(Date.parse('2024-02-29T12:00:00.123Z'));
});

test('a text that is no instant counts as the beginning of time', () => {
  expect(instantMs('yesterday')).toBe(0);
});

test('an instant is written as it is read, to the second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
      expect(instantText(seconds * 1000)).toBe(new Date(seconds * 1000).toISOString().replace('.000Z', 'Z'));
    }),
  );
});
