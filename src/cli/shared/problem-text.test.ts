import { expect, test } from 'vitest';
import { coloursFor } from './print.ts';
import { problemText } from './problem-text.ts';
import { output } from './test-rig.ts';

const colours = coloursFor(output(), { env: {} });

function told(line: string, column: number): string {
  const problem = {
    severity: 'error',
    code: 'x',
    line: 2,
    column,
    message: 'It is wrong.',
    hint: 'Put it right.',
  } as const;
  return problemText(problem, { path: 'tasks.md', lines: ['# Tasks', line] }, colours);
}

test('a problem is printed with its place, the line and what to do (R-PARSE-4)', () => {
  expect(told('- [ ] 2.1 Add the login form', 7)).toBe(
    [
      'tasks.md:2:7 error It is wrong.',
      '    - [ ] 2.1 Add the login form',
      '          ~~~',
      'Hint: Put it right.',
    ].join('\n'),
  );
});

test('a place inside a box marks the box', () => {
  expect(told('  - [x] 1.1 A', 6)).toContain('\n      - [x] 1.1 A\n        ~~~\n');
});

test('tabs and characters of terminals are shown, and do not move the marks (R-SEC-2)', () => {
  expect(told('\t- [ ] \u001b[31m1.1 A', 13)).toContain('\n     - [ ] \\x1b[31m1.1 A\n                   ~~~\n');
});

test('of a long line the part around the place is shown', () => {
  const line = `- [ ] 1.1 ${'a '.repeat(200)}here ${'b '.repeat(200)}`;
  const [, quoted = '', marks = ''] = told(line, line.indexOf('here') + 1).split('\n');
  expect(quoted.length).toBeLessThanOrEqual(104);
  expect(quoted.slice(marks.indexOf('~'), marks.lastIndexOf('~') + 1)).toBe('here');
});

test('a place behind the end of a line, or behind the last line, quotes nothing', () => {
  expect(told('- [ ]', 6)).toBe('tasks.md:2:6 error It is wrong.\nHint: Put it right.');
  expect(told('', 1)).toBe('tasks.md:2:1 error It is wrong.\nHint: Put it right.');
});
