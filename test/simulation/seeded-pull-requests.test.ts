import { expect, test } from 'vitest';
import { liveSeeds, seedsFrom } from './seeds.ts';

const TIMEOUT_MS = 3_600_000;
const OPTIONS = { batches: false, isHosted: true, file: 'test/simulation/seeded-pull-requests.test.ts' };

test(
  'pull requests that people, CI and the network meddle with keep every promise, with and without accidents (R-PR-5, R-PR-11)',
  async () => {
    const seeds = seedsFrom(70_000, { runs: 160 });
    const failures = await liveSeeds(seeds, OPTIONS);
    expect(failures[0] ?? '', `at least ${failures.length} of ${seeds.length} seeds broke a promise`).toBe('');
  },
  TIMEOUT_MS,
);

test('what a person changes in the plan between a look and the plan of its findings is kept (R-FILE-7, R-PR-3)', async () => {
  expect(await liveSeeds([70_221], OPTIONS)).toEqual([]);
});
