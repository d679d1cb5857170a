import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;

test(
  'runs whose tasks work side by side keep every promise, whoever is fastest (R-PAR-3, R-PAR-5)',
  async () => {
    const seeds = seedsFrom(1, { runs: 600 });
    const failures = await liveSeeds(seeds, { batches: true, file: 'test/simulation/seeded-batches.test.ts' });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);
