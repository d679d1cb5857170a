import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRunId, nextRunId } from './run-id.ts';

test('an id tells when the run began and ends in six random digits', () => {
  expect(nextRunId('2026-11-27T23:15:13.412Z', 0.31)).toBe('20261127T231513Z-4f5c28');
  expect(nextRunId('2026-11-27T23:15:13.412Z', 0)).toBe('20261127T231513Z-000000');
});

test('a run of the same second sorts behind the one before', () => {
  expect(nextRunId('2026-11-27T23:15:13.900Z', 0.1, '20261127T231513Z-4f3a9c')).toBe('20261127T231513Z-4f3a9d');
});

test('a run after the clock was put back sorts behind the one before', () => {
  expect(nextRunId('2026-11-27T20:00:00.000Z', 0.1, '20261127T231513Z-4f3a9c')).toBe('20261127T231513Z-4f3a9d');
});

test('when the suffixes of a second are used up, the next second is taken', () => {
  expect(nextRunId('2026-12-31T23:59:59.000Z', 0.5, '20261231T235959Z-ffffff')).toBe('20270101T000000Z-800000');
});

test('ids sort in the order of the runs, whatever the clock and chance say', () => {
  const start = fc.record({
    ms: fc.integer({ min: 0, max: 5000 }),
    chance: fc.constantFrom(0, 0.5, 0.99999999),
  });
  fc.assert(
    fc.property(fc.array(start, { minLength: 2, maxLength: 20 }), (starts) => {
      const ids: string[] = [];
      for (const { ms, chance } of starts) {
        ids.push(nextRunId(new Date(1_700_000_000_000 + ms).toISOString(), chance, ids.at(-1)));
      }
      expect(ids.every(isRunId)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      expect([...ids].sort()).toEqual(ids);
    }),
  );
});
