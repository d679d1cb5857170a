import { expect, test } from 'vitest';
import { readPlan } from './read-plan.ts';

function problemOf(text: string): string {
  const read = readPlan(text);
  return read.ok ? '' : `${read.problem.message} ${read.problem.hint}`;
}

test('a file with a task is a plan', () => {
  const read = readPlan('\uFEFF- [ ] 1.1 Grüße 🎉\r\n');
  expect(read.ok && read.plan.tasks[0]?.title).toBe('Grüße 🎉');
  expect(read.ok && read.plan.text).toBe('\uFEFF- [ ] 1.1 Grüße 🎉\r\n');
});

test('a file without a task is no plan without work, and the message says what to do (R-PARSE-6)', () => {
  expect(problemOf('')).toMatch(/is empty.*A task is a list item with a box/);
  expect(problemOf(' \r\n\t\n')).toMatch(/is empty/);
  expect(problemOf('# Plan\n\nSome text.\n')).toMatch(/No task was found.*- \[ \] 1\.1/);
  expect(problemOf('# Plan\n\n```\n- [ ] 1.1 A\n```\n')).toMatch(/No task was found.*code fences/);
  expect(problemOf('-\0 \0[\0')).toMatch(/NUL bytes.*UTF-8/);
});
