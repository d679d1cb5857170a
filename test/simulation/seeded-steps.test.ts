import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;

test.each([false, true])(
  'runs whose agents work while no coordinator does keep every promise; batches: %s (R-SES-4, R-ADV-2)',
  async (batches) => {
    const seeds = seedsFrom(50_000, { runs: 60 });
    const file = 'test/simulation/seeded-steps.test.ts';
    const failures = await liveSeeds(seeds, { batches, isDriven: true, file });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);
