import { expect, test } from 'vitest';
import type { CoverageRow } from '../artifact/coverage.ts';
import { plannedTask } from '../run/test-rig.ts';
import { bodyWith } from './body.ts';
import type { Described } from './body-sections.ts';

const described: Described = {
  spec: 'demo',
  tasks: [
    plannedTask('1.1', { checked: true, title: 'A | B', verifyCommand: 'npm test | cat' }),
    plannedTask('1.2', { checked: true, verifyCommand: null }),
    plannedTask('2.1', { checked: true, isOfLifecycle: true }),
    plannedTask('2.2'),
  ],
  commits: new Map([['1.1', 'c0ffee01']]),
  remarks: new Map([['1.2', ['unreviewed']]]),
};

test('the body tells what was done, how it was proved, and what lacks proof (R-PR-12)', () => {
  const body = bodyWith('', described);
  expect(body).toContain('| 1.1 | A \\| B | `npm test \\| cat` | c0ffee01 |  |');
  expect(body).toContain('| 1.2 | Task 1.2 | no command |  | unreviewed |');
  expect(body).toContain('Please look at 1.2');
  expect(body).not.toContain('2.1');
  expect(body).not.toContain('2.2');
});

test('the body tells how far requirements are proven, with a table that has a limit (R-TRACE-1)', () => {
  const row = (title: string): CoverageRow => ({
    ...{ id: 'FR-1', kind: 'FR', title, line: 1, priority: 'Must', criteria: [], design: [] },
    ...{ tasks: [], covered: false, proven: false },
  });
  const coverage = { requirements: [row('![x](y) | z')], criteria: [], uncovered: ['FR-1'], unproven: [] };
  const body = bodyWith('', { ...described, coverage });
  expect(body).toContain('<summary>Requirements and criteria: 0 of 1 proven, 1 named by no task.</summary>\n\n| ');
  expect(body).toContain('| FR-1 | !\\[x](y) \\| z |  |  |  | no task |\n');
  const long = bodyWith('', { ...described, coverage: { ...coverage, requirements: [row('x'.repeat(30_000))] } });
  expect([long.includes('0 of 1 proven'), long.includes('| FR-1 |')]).toEqual([true, false]);
});

test('our part is renewed, and what people wrote around it stays (R-PR-12)', () => {
  const template = '## What\n\nFill this in.\n';
  const first = bodyWith(template, described);
  expect(first.startsWith('## What\n\nFill this in.\n')).toBe(true);
  const edited = `Closes #1\n\n${first}\n\nThanks!`;
  const second = bodyWith(edited, { ...described, spec: 'other' });
  expect(second.startsWith('Closes #1\n\n## What')).toBe(true);
  expect(second.endsWith('\n\nThanks!')).toBe(true);
  expect(second).toContain('**other**');
  expect(second).not.toContain('**demo**');
  expect(bodyWith(second, { ...described, spec: 'other' })).toBe(second);
});
