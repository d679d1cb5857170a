import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;
const FILE = 'test/simulation/seeded-sessions.test.ts';

test.each([false, true])(
  'runs that sessions drive in turn with processes keep every promise, whatever becomes of answers; batches: %s (R-SES-1, R-SES-2, R-SES-4)',
  async (batches) => {
    const seeds = seedsFrom(60_000, { runs: 100 });
    const failures = await liveSeeds(seeds, { batches, hasSessions: true, file: FILE });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);

test(
  'so do those that end in a pull request (R-SES-1, R-SES-4, R-PR-1)',
  async () => {
    const seeds = seedsFrom(80_000, { runs: 60 });
    const failures = await liveSeeds(seeds, { batches: true, hasSessions: true, isHosted: true, file: FILE });
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);
