import { expect, test } from 'vitest';
import { others, redChecks, reviewers } from './hosted/scenarios.ts';
import { sweepCrashes } from './sweep.ts';

const TIMEOUT_MS = 600_000;

test.each([redChecks, reviewers, others])(
  'a crash inside or after any call, of forge and remote too, breaks no promise, and the pull request is green in the end: $name (R-ADV-2, R-PR-5)',
  async (scenario) => {
    const { lives, failures } = await sweepCrashes(scenario);
    expect(failures[0] ?? '', `${failures.length} of ${lives} lives went wrong`).toBe('');
    expect(lives).toBeGreaterThan(60);
  },
  TIMEOUT_MS,
);
