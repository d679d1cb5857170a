import { expect, test } from 'vitest';
import { begun, envelopes, rejected, returned, task } from '../test-rig.ts';
import { spentSum } from './spent-sum.ts';

test('what the runs of a spec took is added up (R-DEL-8)', () => {
  const costly = returned('1.1', { usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.5 } });
  const events = rejected('1.1', 1).map((event) => (event.type === 'agent-returned' ? costly : event));
  const run = envelopes(begun([task('1.1')]), events);
  const sum = spentSum([run, run]);
  expect(sum).toMatchObject({ runs: 2, attempts: 2, tokens: 240, costUsd: 1 });
  expect(sum.activeMs).toBeGreaterThan(0);
  expect(spentSum([])).toMatchObject({ runs: 0, attempts: 0 });
});
