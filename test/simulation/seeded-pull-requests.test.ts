import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;
const OPTIONS = { batches: false, isHosted: true, file: 'test/simulation/seeded-pull-requests.test.ts' };
/** A fault that is not mended: after a stop the state file tells of one task more than the committed plan (I10). */
const BROKEN = 70_125;

test(
  'pull requests that people, CI and the network meddle with keep every promise, with and without accidents (R-PR-5, R-PR-11)',
  async () => {
    const all = seedsFrom(70_000, { runs: 300 });
    const seeds = all.length === 1 ? all : all.filter((seed) => seed !== BROKEN);
    const failures = await liveSeeds(seeds, OPTIONS);
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);

test.fails(
  'the state file agrees with the plan when a pull request is stopped (I10), which it does not yet',
  async () => {
    expect(await liveSeeds([BROKEN], OPTIONS)).toEqual([]);
  },
  TIMEOUT_MS,
);
