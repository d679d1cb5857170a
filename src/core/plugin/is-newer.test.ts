import { expect, test } from 'vitest';
import { isNewer } from './is-newer.ts';

test.each([
  ['0.2.0', '0.1.9', true],
  ['0.10.0', '0.9.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', false],
  ['1.0.0-beta.2', '1.0.0', false],
  ['no version', '0.1.0', false],
])('%s is newer than %s: %j (R-SES-8)', (version, other, isIt) => {
  expect(isNewer(version, other)).toBe(isIt);
});
