import { expect, test } from 'vitest';
import { reproductionIn } from './reproduction.ts';

test.each([
  ['Fix crash when `npm test -- a` runs', 'npm test -- a'],
  ['Fix `parseUser` so that `./repro.sh` passes', './repro.sh'],
  ['It hangs when I run pytest -k login, always', 'pytest -k login'],
  ['It fails: run node bin/a.js and wait', 'node bin/a.js'],
  ['Fix the crash in `parseUser(a, b)`', undefined],
  ['It crashes when users run the tests', undefined],
  ['Fix the `test` helper', undefined],
  ['Fix crash when `true` runs', 'true'],
  ['It crashes, run `make` to see it', 'make'],
  ['Fix the flag, which is `true` at the start', undefined],
])('the command of the goal %j is %j (R-BUG-1)', (goal, command) => {
  expect(reproductionIn(goal)).toBe(command);
});
