import { expect, test } from 'vitest';
import { isMarkerCommand, markerCommand } from './marker-command.ts';

test.each([
  [['a.txt', 'src/b-1.ts'], 'npm test', "! git grep -nE '^(<{7}|>{7})' -- a.txt src/b-1.ts && npm test"],
  [['a.txt'], undefined, "! git grep -nE '^(<{7}|>{7})' -- a.txt"],
  [['a; rm -rf x'], undefined, "! git grep -nE '^(<{7}|>{7})'"],
  [['-O', 'a.txt'], undefined, "! git grep -nE '^(<{7}|>{7})'"],
  [['a.txt'], 'echo `x`', "! git grep -nE '^(<{7}|>{7})' -- a.txt"],
])('the command that finds conflict markers in %j, with the tests %j (R-PR-11)', (paths, tests, expected) => {
  expect(markerCommand(paths, tests)).toBe(expected);
  expect(isMarkerCommand(expected, tests)).toBe(true);
});

test.each([
  "! git grep -nE '^(<{7}|>{7})' && rm -rf x",
  "! git grep -nE '^(<{7}|>{7})' -- a.txt; rm -rf x",
  "! git grep -nE '^(<{7}|>{7})' -- -Osh",
  "! git grep -nE '^(<{7}|>{7})' -- $(rm x)",
  'npm test',
])('%s is no such command, and needs trust (R-SEC-1)', (command) => {
  expect(isMarkerCommand(command, 'npm run all')).toBe(false);
});
