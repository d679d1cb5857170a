import { expect, test } from 'vitest';
import { testFailures } from './test-failures.ts';

test('failures are read as the usual runners name them (R-START-7)', () => {
  const output = [
    'not ok 3 - adds two numbers',
    '  × src/a.test.ts > parses 12ms',
    'FAILED tests/test_a.py::test_b',
    '--- FAIL: TestLogin (0.01s)',
    'test parser::empty ... FAILED',
    'ok 4 - fine',
    'not ok 3 - adds two numbers',
  ].join('\n');
  expect(testFailures({ exitCode: 1, output })).toEqual([
    'adds two numbers',
    'src/a.test.ts > parses',
    'tests/test_a.py::test_b',
    'TestLogin',
    'parser::empty',
  ]);
});

test('a run that passed has none, whatever it printed; a silent failure is one (R-START-7)', () => {
  expect(testFailures({ exitCode: 0, output: 'not ok 1 - expected to fail' })).toEqual([]);
  expect(testFailures({ exitCode: 2, output: 'Segmentation fault' })).toEqual(['the test command exited with 2']);
});
