import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProject } from '../../src/index.ts';
import { coverageSchema } from '../../src/surfaces/json/report-schemas.ts';
import { type Workshop, workshop } from './rig.ts';

const REQUIREMENTS = `# Requirements

## User Stories

### US-1: Files

- AC-1.1: a.txt is there.
- AC-1.2: It is not empty.
- AC-1.3 (retired): It is red.

## Functional Requirements

| ID | Requirement | Priority | Acceptance Criteria |
|----|-------------|----------|---------------------|
| FR-1 | Makes a.txt | Must | AC-1.1 |
| FR-2 | Keeps b.txt | Must | AC-1.2 |
`;
const PLAN = `# Tasks

- [ ] 1.1 Make a.txt
  - **Files**: a.txt
  - **Verify**: \`test -f a.txt\`
  - **Commit**: \`feat: a\`
  - _Requirements: FR-1, AC-1.1–1.2_
- [ ] 1.2 [VERIFY] Look at it
  - **Verify**: \`test -s a.txt\`
  - **Commit**: None
  - _Requirements: AC-1.2_
`;
const AGENT = JSON.stringify([
  'bash',
  '-c',
  'cat >/dev/null; echo x > a.txt; case $SPECLOOP_ROLE in verifier) echo VERIFICATION_PASS;; *) echo TASK_COMPLETE;; esac',
]);

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
  write('tasks.md', PLAN);
  write('requirements.md', REQUIREMENTS);
  write('design.md', '# Design\n\n## Overview\n\n### The file\n\nFR-1 and AC-1.*.\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'spec');
});
afterEach(() => shop.remove());

function write(name: string, text: string): void {
  shop.write(`specs/demo/${name}`, text);
}

function rows() {
  const { stdout, code } = shop.run('coverage', 'demo', '--json', '--check');
  const { requirements, criteria, ...rest } = coverageSchema.parse(JSON.parse(stdout));
  return { code, rows: [...requirements, ...criteria], ...rest };
}

test('before a run coverage names what no task does work for, and what is not proven (R-TRACE-1)', () => {
  const found = rows();
  expect(found).toMatchObject({
    v: 1,
    spec: 'demo',
    code: 1,
    uncovered: [],
    unproven: ['FR-1', 'FR-2', 'AC-1.1', 'AC-1.2'],
  });
  expect(found.rows[0]).toMatchObject({
    id: 'FR-1',
    title: 'Makes a.txt',
    priority: 'Must',
    criteria: ['AC-1.1'],
    design: ['The file'],
    tasks: [
      { id: '1.1', does: 'work', done: false, verify: { kind: 'command', command: 'test -f a.txt' }, proof: null },
    ],
  });
  write('tasks.md', PLAN.replace('AC-1.1–1.2', 'AC-1.1'));
  expect(rows()).toMatchObject({ uncovered: ['FR-2', 'AC-1.2'] });
  expect(shop.run('coverage', 'demo')).toMatchObject({ code: 0 });
  const { code, stderr } = shop.run('coverage', 'demo', '--check');
  expect([code, stderr]).toEqual([1, expect.stringContaining('Not covered: FR-2, AC-1.2.')]);
});

test('after it each has its task, command, exit code, attempt and commit (R-TRACE-1)', async () => {
  const ran = shop.run('implement', 'demo', '--review', 'off', '--agent-command', AGENT);
  expect(ran).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(ran.stderr).toContain('Requirements and criteria: 4 of 4 proven. See "specloop coverage demo".');
  const found = rows();
  expect(found).toMatchObject({ code: 0, uncovered: [], unproven: [] });
  const proof = { attempt: 1, command: 'test -f a.txt', exitCode: 0, commit: expect.stringMatching(/^[0-9a-f]{40}$/) };
  expect(found.rows[0]).toMatchObject({ id: 'FR-1', proven: true, tasks: [{ id: '1.1', done: true, proof }] });
  expect(found.rows[3]?.tasks).toMatchObject([
    { id: '1.1' },
    { id: '1.2', does: 'check', proof: { command: 'test -s a.txt' } },
  ]);
  expect(shop.run('coverage', 'demo').stdout).toContain('exit 0, commit ');
  const table = shop.run('coverage', 'demo', '--markdown').stdout;
  expect(table).toContain('| FR-1 | Makes a.txt | The file | 1.1 | `test -f a.txt` | yes: ');
  const spec = await (await openProject(shop.dir, { env: shop.env })).spec('demo');
  expect(await spec.coverage()).toMatchObject({ unproven: [] });
});

test('the task that checks the criteria is shown what the records prove, in a run and before it (R-TRACE-1, R-AGT-7)', () => {
  write('tasks.md', PLAN.replace('Look at it', 'AC checklist'));
  shop.git('commit', '--quiet', '--all', '--message', 'plan');
  expect(shop.run('prompt', '1.2', 'demo').stdout).toContain('> - AC-1.2 It is not empty.: task 1.1 is open\n');
  expect(shop.run('prompt', '1.1', 'demo').stdout).not.toContain('AC-1.2 It is not empty');
  const seen = join(shop.dir, '../seen');
  const agent = AGENT.replace('cat >/dev/null', `cat >${seen}`);
  expect(shop.run('implement', 'demo', '--review', 'off', '--agent-command', agent).code).toBe(0);
  expect(readFileSync(seen, 'utf8')).toMatch(
    /^> - FR-1 Makes a\.txt: task 1\.1: its command exited with 0, commit [0-9a-f]{7}$/m,
  );
});

test('a tick by hand, a changed command and a changed task prove nothing (R-TRACE-1)', () => {
  write('tasks.md', PLAN.replaceAll('[ ]', '[x]'));
  expect(rows()).toMatchObject({ code: 1, unproven: ['FR-1', 'FR-2', 'AC-1.1', 'AC-1.2'] });
  write('tasks.md', PLAN);
  shop.run('implement', 'demo', '--review', 'off', '--agent-command', AGENT);
  const done = readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8');
  write('tasks.md', done.replace('test -f a.txt', 'test -d a.txt'));
  expect(rows()).toMatchObject({ unproven: ['FR-1', 'AC-1.1'] });
  write('tasks.md', done.replace('Make a.txt', 'Make b.txt'));
  expect(rows()).toMatchObject({ unproven: ['FR-1', 'FR-2', 'AC-1.1', 'AC-1.2'] });
});

test('a spec without ids is refused with what to write (R-TRACE-1)', () => {
  write('requirements.md', '# Requirements\n\nA file.\n');
  const { code, stderr } = shop.run('coverage', 'demo');
  expect([code, stderr]).toEqual([2, expect.stringContaining('specs/demo/requirements.md defines no requirement')]);
});
