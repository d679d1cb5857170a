import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;

test(
  'runs that nobody thought of keep every promise, with and without crashes, faults and stops (R-ADV-2)',
  async () => {
    const seeds = seedsFrom(1, { runs: 600 });
    const failures = await liveSeeds(seeds, { batches: false, file: 'test/simulation/seeded-runs.test.ts' });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);
