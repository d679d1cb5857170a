import { expect, test } from 'vitest';
import { compareVersions } from './compare-versions.ts';

test.each([
  ['2.1.332', '2.1.332', 0],
  ['2.1.99', '2.1.332', -1],
  ['v2.2', '2.1.332 (Claude Code)', 1],
  ['codex-cli 0.171.0-beta.1', '0.171', 0],
])('%s and %s are compared by their numbers', (one, other, order) => {
  expect(Math.sign(compareVersions(one, other))).toBe(order);
});
