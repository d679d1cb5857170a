import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const read = (path: string) => readFileSync(join(shop.dir, path), 'utf8');
const subjects = () => shop.git('log', '--reverse', '--format=%s', 'main..HEAD').trim().split('\n');

/** Commits these files, on a branch of their own. */
function commit(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) shop.write(path, text);
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'plan');
}

/** An agent that does this in a shell, with its prompt in `$prompt`, and a reviewer that passes what it is shown. */
function agent(does: string, review = 'echo REVIEW_PASS'): readonly string[] {
  const script = `prompt=$(cat); n=$SPECLOOP_TASK_INDEX; if [ "$SPECLOOP_ROLE" = reviewer ]; then echo "$SPECLOOP_TASK_ID" >> ${shop.dir}/../reviews; ${review}; else ${does}; fi`;
  return ['--agent-command', JSON.stringify(['bash', '-c', script])];
}

const WORK = 'echo "$SPECLOOP_TASK_ID" > "work-$n.txt"; echo TASK_COMPLETE';
const reviews = () => readFileSync(join(shop.dir, '../reviews'), 'utf8').trim().split('\n');
const done = { code: 0, stdout: 'ALL_TASKS_COMPLETE\n' };
const implement = (...options: readonly string[]): Result => shop.run('implement', ...options);

const KIRO = `# Implementation Plan

- [ ] 1. Build the store
  The store keeps its order.
  - [ ] 1.1 Write the model
    - _Requirements: 1.1_
  - [ ]* 1.2 Write property tests
  - [ ] 1.3 Write the lookup
    - [ ] by name
- [ ] 2. Show it
  - _Requirements: 2.1_
`;

test('a Kiro spec runs to its end: reviews prove it, parents are ticked, optional tasks are left out (R-DIA-4, R-DIA-5, R-DIA-6)', () => {
  commit({
    '.kiro/specs/ticket-queue/tasks.md': KIRO,
    '.kiro/specs/ticket-queue/design.md': '# Design\n',
    '.kiro/steering/product.md': '# Product\n',
  });
  const { stderr, ...result } = implement('ticket-queue', ...agent(`printf '%s' "$prompt" > ../prompt-$n; ${WORK}`));
  expect(result).toEqual(done);
  expect(stderr).toContain('The plan is read as kiro.');
  expect(stderr).toContain('Left out: 1 optional task (1.2); --optional runs them.');
  expect(stderr).toContain('No task of this plan has a command: each is proven by review.');
  const ticked = KIRO.replaceAll('[ ]', '[x]').replace('[x]* 1.2', '[ ]* 1.2');
  expect(read('.kiro/specs/ticket-queue/tasks.md')).toBe(ticked);
  expect(reviews()).toEqual(['1.1', '1.3', '2']);
  expect(readFileSync(join(shop.dir, '../prompt-0'), 'utf8')).toContain('The store keeps its order.');
  expect(readFileSync(join(shop.dir, '../prompt-0'), 'utf8')).toContain('.kiro/steering/product.md');
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(JSON.parse(shop.run('status', 'ticket-queue', '--json').stdout)).toMatchObject({
    ...{ dialect: 'kiro', isDialectForced: false, phase: 'completed', total: 4, done: 3, current: null },
  });
  expect(implement('ticket-queue', '--optional', ...agent(WORK))).toMatchObject(done);
  expect(read('.kiro/specs/ticket-queue/tasks.md')).toBe(KIRO.replaceAll('[ ]', '[x]'));
});

const CHANGE = `## 1. Export

- [ ] 1.1 Write the module
- [ ] 1.2 Write the flag
  - [ ] in the help

## 2. Docs

- [ ] 2.1 Describe it
`;

test('an OpenSpec change runs in recovery mode: its fix task has the next number and the form of the file (R-DIA-6, R-REC-4)', () => {
  commit({ 'openspec/changes/add-export/tasks.md': CHANGE, 'openspec/changes/add-export/proposal.md': '## Why\n' });
  const does = `if [ $n = 0 ] && [ ! -f ../failed ]; then touch ../failed; printf 'Task 1.1: x FAILED\\n- Error: no such module\\n- Attempted fix: looked for it\\n'; else ${WORK}; fi`;
  expect(implement('add-export', '--recovery-mode', ...agent(does))).toMatchObject(done);
  const fix = [
    '- [ ] 1.3 Fix: no such module',
    '  - Error: no such module',
    '  - Attempted fix: looked for it',
    '  - Done when: the error no longer occurs',
    '  - Fixes: 1.1',
  ].join('\n');
  expect(read('openspec/changes/add-export/tasks.md')).toBe(
    CHANGE.replace('- [ ] 1.2', `${fix}\n- [ ] 1.2`).replaceAll('[ ]', '[x]'),
  );
  expect(reviews()).toEqual(['1.1', '1.2', '2.1']);
  expect(subjects()).toContain('chore(spec): add fix task 1.3');
});

const FEATURE = `# Tasks: Links

## Phase 1: Setup

- [X] T001 Create the project in package.json

## Phase 2: Story

- [ ] T002 [P] [US1] Add the store in src/store.ts
- [ ] T003 [P] [US1] Add the page in src/page.ts
- [ ] T004 [US1] Wire both in src/main.ts
`;

test('a feature of spec-kit runs with a batch of tasks that name different files (R-DIA-4, R-PAR-1)', () => {
  commit({ 'specs/001-links/spec.md': '# Spec\n', 'specs/001-links/tasks.md': FEATURE });
  const work = 'mkdir -p src; echo "$SPECLOOP_TASK_ID" > "src/$n.ts"; echo TASK_COMPLETE';
  const { stderr, ...result } = implement('001-links', '--jobs', '2', ...agent(work));
  expect(result).toEqual(done);
  expect(stderr).toContain('Starting 2 tasks in parallel: T002, T003.');
  expect(read('specs/001-links/tasks.md')).toBe(FEATURE.replaceAll('[ ]', '[X]'));
});

test('documents of other tools are not held to our templates, and open checklists are named, never ticked (R-DIA-3, R-PLAN-5)', () => {
  const checklist = '- [ ] CHK001 Is the form described?\n- [x] CHK002 Is the page?\n';
  const files = {
    'spec.md': '# Spec\n',
    'plan.md': '# Plan\n',
    'research.md': 'none\n',
    'checklists/ux.md': checklist,
  };
  commit({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`specs/001-links/${name}`, text])),
    'specs/001-links/tasks.md': FEATURE,
  });
  const { code, stdout } = shop.run('validate', '001-links', '--json');
  const { dialect, problems, documentProblems } = JSON.parse(stdout);
  expect([code, dialect, documentProblems]).toEqual([0, 'spec-kit', []]);
  expect(problems).toMatchObject([{ code: 'open-checklist', file: 'specs/001-links/checklists/ux.md', line: 1 }]);
  const { stderr, ...result } = implement('001-links', ...agent(WORK));
  expect(result).toEqual(done);
  expect(stderr).toContain('specs/001-links/checklists/ux.md has an open box.');
  expect(read('specs/001-links/checklists/ux.md')).toBe(checklist);
});

const LIST = '# Chores\n\n- [ ] Sweep\n  - [ ] the hall\n- [x] Wash\n- [ ] Cook\n';

test('a checklist that is killed is resumed and runs to its end (R-DIA-1, R-ADV-2)', async () => {
  commit({ 'specs/chores/tasks.md': LIST });
  const call = ['implement', 'chores', ...agent(`[ -f ../ready ] || { touch ../ready; sleep 60; }; ${WORK}`)];
  const run = shop.start(...call);
  const ended = once(run, 'exit');
  await expect.poll(() => existsSync(join(shop.dir, '../ready')), { timeout: 60_000 }).toBe(true);
  run.kill('SIGKILL');
  await ended;
  expect(read('specs/chores/tasks.md')).toBe(LIST);
  expect(shop.run(...call)).toMatchObject(done);
  expect(read('specs/chores/tasks.md')).toBe(LIST.replaceAll('[ ]', '[x]'));
  expect(reviews()).toEqual(['sweep', 'cook']);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a single file among others is a plan: it is killed, resumed, and leaves the other files alone (R-DIA-3, R-DIA-5, R-START-2)', async () => {
  commit({ 'docs/TODO.md': LIST, 'docs/other.md': 'other\n', 'docs/requirements.md': '# Not ours\n' });
  const does = `printf '%s' "$prompt" > ../prompt; [ -f ../ready ] || { touch ../ready; sleep 60; }; ${WORK}`;
  const call = ['implement', 'docs/TODO.md', '--dialect', 'checklist', ...agent(does)];
  shop.write('docs/other.md', 'changed\n');
  const refused = shop.run(...call);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('  docs/other.md\n') });
  shop.git('checkout', '--quiet', 'docs/other.md');
  const run = shop.start(...call);
  const ended = once(run, 'exit');
  await expect.poll(() => existsSync(join(shop.dir, '../ready')), { timeout: 60_000 }).toBe(true);
  run.kill('SIGKILL');
  await ended;
  expect(JSON.parse(shop.run('status', 'todo', '--json').stdout)).toMatchObject({
    ...{ spec: 'todo', path: 'docs/TODO.md', dialect: 'checklist', total: 3, done: 1, documents: [] },
    ...{ next: 'specloop implement docs/TODO.md', isDialectForced: true },
  });
  expect(shop.run('implement', 'todo', '--dialect', 'kiro', ...agent(does))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The unfinished run of todo reads its plan as checklist, not as kiro.'),
  });
  expect(shop.run('implement', 'todo', ...agent(does))).toMatchObject(done);
  expect(read('docs/TODO.md')).toBe(LIST.replaceAll('[ ]', '[x]'));
  expect(read('docs/.todo.progress.md')).toContain('- [x] cook Cook');
  const prompt = readFileSync(join(shop.dir, '../prompt'), 'utf8');
  expect(prompt).toContain('- Its plan: docs/TODO.md\n');
  expect(prompt).not.toContain('requirements.md');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a single file at the root runs in a batch, and is listed next to one of the same name (R-DIA-3, R-PAR-1, R-FILE-2)', () => {
  commit({ 'Release Plan.md': FEATURE, 'docs/TODO.md': LIST, 'TODO.md': LIST });
  const work = 'mkdir -p src; echo "$SPECLOOP_TASK_ID" > "src/$n.ts"; echo TASK_COMPLETE';
  const { stderr, ...result } = implement('Release Plan.md', '--jobs', '2', ...agent(work));
  expect(result).toEqual(done);
  expect(stderr).toContain('Starting 2 tasks in parallel: T002, T003.');
  expect(read('Release Plan.md')).toBe(FEATURE.replaceAll('[ ]', '[X]'));
  for (const file of ['TODO.md', 'docs/TODO.md']) expect(implement(file, ...agent(WORK))).toMatchObject(done);
  expect(shop.run('status', 'todo').stderr).toContain('it matches TODO.md and docs/TODO.md');
  expect(shop.run('switch', 'TODO.md')).toMatchObject({ code: 0 });
  expect(JSON.parse(shop.run('list', '--json').stdout)).toMatchObject([
    { name: 'demo', current: false },
    { name: 'release-plan', path: 'Release Plan.md', dialect: 'spec-kit', done: 4 },
    { name: 'todo', path: 'TODO.md', current: true, done: 3 },
    { name: 'todo', path: 'docs/TODO.md', current: false },
  ]);
  expect(shop.git('status', '--porcelain')).toBe('');
});
