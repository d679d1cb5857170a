import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;

test.each(['kiro', 'openspec', 'spec-kit', 'checklist'] as const)(
  'runs of plans read as %s keep every promise, with batches, crashes, faults and stops (R-DIA-1, R-ADV-2)',
  async (dialect) => {
    const seeds = seedsFrom(7_001, { runs: 40 });
    const failures = await liveSeeds(seeds, {
      batches: true,
      dialect,
      file: 'test/simulation/seeded-dialects.test.ts',
    });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);
