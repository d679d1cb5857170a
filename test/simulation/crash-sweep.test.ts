import { expect, test } from 'vitest';
import {
  batch,
  changingBatch,
  claims,
  drafting,
  draftingInSessions,
  hooks,
  litter,
  meddlers,
  meddlingBatch,
  modifications,
  plain,
  proofs,
  recovery,
  refusedChange,
  retries,
  reviews,
  topics,
  undoing,
} from './scenarios.ts';
import { sweepCrashes } from './sweep.ts';

const TIMEOUT_MS = 600_000;

test.each([
  plain,
  retries,
  recovery,
  modifications,
  reviews,
  batch,
  changingBatch,
  proofs,
  hooks,
  refusedChange,
  litter,
  claims,
  drafting,
  draftingInSessions,
  topics,
  undoing,
  meddlingBatch,
  meddlers,
])(
  'a crash inside or after any call of a port changes nothing: $name (R-ADV-2)',
  async (scenario) => {
    const { lives, failures } = await sweepCrashes(scenario);
    expect(failures[0] ?? '', `${failures.length} of ${lives} lives went wrong`).toBe('');
    expect(lives).toBeGreaterThan(60);
  },
  TIMEOUT_MS,
);
