import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../adapters/clock/system.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { specPrivateFolder } from '../../adapters/store/private-folder.ts';
import { begun, delegated, recorded, rejected, task } from '../../core/view/test-rig.ts';
import { output, PLAN, type TestRepository, testRepository } from '../shared/test-rig.ts';

let repository: TestRepository;
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN);
  repository.write('specs/.current-spec', 'demo\n');
});
afterEach(() => repository.remove());

const tasks = [task('1.1', { checked: true }), task('1.2'), task('1.3', { verify: true })];

async function whileHeld<T>(body: () => Promise<T>): Promise<T> {
  const result = await acquireLock(
    specPrivateFolder(join(repository.dir, '.git'), 'specs/demo'),
    ownOwner(systemClock),
  );
  try {
    return await body();
  } finally {
    if (result.ok) result.lock.release();
  }
}

async function status(): Promise<unknown> {
  return JSON.parse((await repository.run(['status', '--json'])).stdout);
}

test('status of a spec that never ran comes from its plan (R-API-5)', async () => {
  expect(await status()).toEqual({
    spec: 'demo',
    ...{ path: 'specs/demo', dialect: 'ralph-specum', isDialectForced: false },
    worktree: null,
    phase: 'tasks',
    gate: null,
    epic: null,
    next: 'specloop implement demo',
    total: 3,
    done: 1,
    current: { index: 1, id: '1.2', title: 'Add part 1.2' },
    running: null,
    lastRun: null,
    spent: null,
    session: null,
    documents: [expect.objectContaining({ name: 'tasks', state: 'draft', approved: null })],
    added: [],
    reviews: [],
    questions: [],
    remarks: [],
    pullRequest: null,
  });
});

test('status while a run goes on names the process and what it does (R-API-5)', async () => {
  const id = await repository.record('demo', [begun(tasks), delegated('1.2')]);
  const [json, shown] = await whileHeld(
    async () => [await status(), (await repository.run(['status'])).stdout] as const,
  );
  expect(json).toMatchObject({ running: { pid: process.pid }, lastRun: { id, result: 'running', reason: '' } });
  expect(shown).toMatch(
    /^demo \(specs\/demo\): 1 of 3 tasks done, phase tasks\nCurrent: 1\.2 Add part 1\.2\nRunning: process \d+ on .*\n {2}1\.2 Add part 1\.2: agent, attempt 1, for .*\n$/,
  );
});

test('status after a run tells how it ended, and of a killed one that it ended without a word (R-API-5)', async () => {
  const id = await repository.record('demo', [
    begun(tasks),
    rejected('1.2'),
    { type: 'run-finished', result: 'stuck', reason: 'ERROR: Max retries reached.\nThe rest.', head: 'c0ffee' },
  ]);
  expect(await status()).toMatchObject({
    lastRun: { id, result: 'stuck', reason: 'ERROR: Max retries reached.\nThe rest.' },
  });
  expect((await repository.run(['status'])).stdout).toContain(
    `\nNot running.\nLast run: ${id}, stuck: ERROR: Max retries reached.\n`,
  );
  await repository.record('demo', [begun(tasks), delegated('1.2')]);
  expect(await status()).toMatchObject({ running: null, lastRun: { result: 'interrupted' } });
});

test('the phase is what the state file says; one that cannot be read is a warning, not an end (R-START-5)', async () => {
  repository.write('specs/demo/.ralph-state.json', '{ "phase": "design" }');
  expect(await status()).toMatchObject({ phase: 'design' });
  repository.write('specs/demo/.ralph-state.json', '{ "phase": ');
  const { code, stderr } = await repository.run(['status']);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Warning: specs\/demo\/\.ralph-state\.json cannot be read: .*\.\n$/),
  ]);
});

test('a damaged journal is a warning, and the rest is still printed (R-FILE-7)', async () => {
  const id = await repository.record('demo', [begun(tasks), delegated('1.2')]);
  const journal = join(specPrivateFolder(join(repository.dir, '.git'), 'specs/demo'), 'runs', id, 'journal.jsonl');
  writeFileSync(journal, `nonsense\n${readFileSync(journal, 'utf8')}`);
  const { code, stdout, stderr } = await repository.run(['status', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ total: 3, done: 1, lastRun: null })]);
  expect(stderr).toMatch(/^Warning: .*journal\.jsonl:1 .*\n$/);
});

test('a spec that is still planned has no tasks; one whose plan holds none is refused (R-PARSE-6)', async () => {
  repository.write('specs/new/research.md', '# Research\n');
  const planned = await repository.run(['status', 'new', '--json']);
  expect(JSON.parse(planned.stdout)).toMatchObject({ phase: 'planning', total: 0, current: null });
  repository.write('specs/new/tasks.md', 'nothing\n');
  expect(await repository.run(['status', 'new'])).toMatchObject({ code: 2, stdout: '' });
});

test('status --task shows the evidence of every attempt of the newest run that began the task (R-VER-9)', async () => {
  await repository.record('demo', [begun(tasks), recorded('1.2')]);
  const newest = await repository.record('demo', [begun(tasks), rejected('1.2', 1, 'expected 42'), recorded('1.2', 2)]);
  await repository.record('demo', [begun(tasks), delegated('1.3')]);
  const { code, stdout } = await repository.run(['status', '--task', '1.2']);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^# Task 1\.2 Add part 1\.2\n[\s\S]*## Attempt 1: rejected at verify\n[\s\S]*expected 42[\s\S]*## Attempt 2: accepted\n/,
  );
  const json = JSON.parse((await repository.run(['status', 'demo', '--task', '1.2', '--json'])).stdout);
  expect(json.attempts.map(({ outcome }: { outcome: { is: string } }) => outcome.is)).toEqual(['rejected', 'accepted']);
  expect(json.run).toBe(newest);
  expect(await repository.run(['status', '--task', '9'])).toMatchObject({
    code: 2,
    stderr: 'No run of demo has started a task "9".\nHint: Check the tasks with "specloop status demo".\n',
  });
});

test('logs print the newest attempt neutralised, another one or the Verify command on demand, and raw only into a pipe (R-SEC-2)', async () => {
  const id = await repository.record('demo', [begun(tasks), rejected('1.2'), delegated('1.2', 2)]);
  const folder = repository.archive('demo').folder(id);
  const path = folder.logPath('1.2/attempt-2.log');
  writeFileSync(path, 'second \u001b[31mred\u001b[0m\r\nlast line');
  writeFileSync(folder.logPath('1.2/attempt-1.log'), 'first\n');
  writeFileSync(folder.logPath('1.2/attempt-1.verify.log'), '1 failed\n');
  expect(await repository.run(['logs', '1.2'])).toEqual({
    code: 0,
    stdout: 'second red\nlast line\n',
    stderr: `${path}\n`,
  });
  expect((await repository.run(['logs', '1.2', 'demo', '--attempt', '1'])).stdout).toBe('first\n');
  expect((await repository.run(['logs', '1.2', '--attempt', '1', '--verify'])).stdout).toBe('1 failed\n');
  expect((await repository.run(['logs', '1.2', '--raw'])).stdout).toBe(readFileSync(path, 'utf8'));
  expect(await repository.run(['logs', '1.2', '--raw'], { isTTY: true })).toMatchObject({ code: 2, stdout: '' });
  expect(await repository.run(['logs', '1.2', '--verify'])).toMatchObject({
    code: 2,
    stderr: 'Attempt 2 at task 1.2 has no verify log.\nHint: Leave out --verify, or choose another attempt.\n',
  });
  expect(await repository.run(['logs', '1.2', '--attempt', '3'])).toMatchObject({
    code: 2,
    stderr: 'Task 1.2 has no attempt "3" in its latest run.\nHint: Attempts: 1, 2.\n',
  });
});

test('a log that is cut inside a character or an escape sequence is shown in whole lines (R-SEC-2)', async () => {
  const id = await repository.record('demo', [begun(tasks), delegated('1.2')]);
  const line = `${'ü'.repeat(50_001)}\u001b[31m|\n`;
  writeFileSync(repository.archive('demo').folder(id).logPath('1.2/attempt-1.log'), line.repeat(3));
  const { stdout } = await repository.run(['logs', '1.2']);
  expect(stdout).toBe(`${'ü'.repeat(50_001)}|\n`.repeat(3));
});

test('logs --follow prints what comes, until the attempt is over', async () => {
  const id = await repository.record('demo', [begun(tasks), delegated('1.2')]);
  const archive = repository.archive('demo');
  const path = archive.folder(id).logPath('1.2/attempt-1.log');
  writeFileSync(path, 'begun\n');
  const stdout = output();
  const outcome = await whileHeld(async () => {
    const printed = once(stdout, 'printed');
    const running = repository.run(['logs', '1.2', '--follow'], { stdout });
    await printed;
    const { envelopes } = await archive.read(id);
    const journal = await archive.journal(id, envelopes.length);
    writeFileSync(path, 'begun\nand ended\n');
    for (const event of rejected('1.2').slice(1)) await journal.append([event]);
    journal.close();
    return await running;
  });
  expect(outcome.stdout).toBe('begun\nand ended\n');
});

test('list shows every spec, also one without a plan, and which one is active', async () => {
  repository.write('specs/other-spec/tasks.md', 'no task\n');
  const { stdout } = await repository.run(['list']);
  expect(stdout).toBe('* demo            1/3  specs/demo\n  other-spec  no plan  specs/other-spec\n');
  const entries = JSON.parse((await repository.run(['list', '--json'])).stdout);
  expect(entries).toEqual([
    {
      ...{ name: 'demo', path: 'specs/demo', total: 3, done: 1, current: true, worktree: null, running: null },
      ...{ dialect: 'ralph-specum', isDialectForced: false, problem: null },
      ...{ phase: 'tasks', gate: null, epic: null },
    },
    {
      name: 'other-spec',
      path: 'specs/other-spec',
      ...{ dialect: 'ralph-specum', isDialectForced: false, problem: null },
      total: null,
      done: null,
      current: false,
      worktree: null,
      running: null,
      ...{ phase: 'planning', gate: null, epic: null },
    },
  ]);
});

test('switch makes another spec the active one, and refuses one that is not there (R-FILE-2)', async () => {
  repository.write('specs/other/tasks.md', PLAN);
  expect(await repository.run(['switch', 'other'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'other is the active spec (specs/.current-spec).\n',
  });
  expect(readFileSync(join(repository.dir, 'specs/.current-spec'), 'utf8')).toBe('other\n');
  expect(await repository.run(['switch', 'nope'])).toMatchObject({ code: 2 });
  expect(await repository.run(['switch'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("argument 'SPEC'"),
  });
});

test('cancel without a coordinator stops nothing; with --remove-state the next run begins anew (R-FILE-7)', async () => {
  repository.write('specs/demo/.ralph-state.json', '{}');
  const id = await repository.record('demo', [begun(tasks), delegated('1.2')]);
  expect(await repository.run(['cancel'])).toEqual({ code: 0, stdout: '', stderr: 'demo is not running.\n' });
  expect(existsSync(join(repository.dir, 'specs/demo/.ralph-state.json'))).toBe(true);
  const { stderr } = await repository.run(['cancel', '--remove-state']);
  expect(stderr).toBe('demo is not running.\ndemo: removed its state file, ended its run.\n');
  expect(existsSync(join(repository.dir, 'specs/demo/.ralph-state.json'))).toBe(false);
  expect((await repository.archive('demo').read(id)).envelopes.at(-1)?.event).toMatchObject({
    type: 'run-finished',
    result: 'abandoned',
  });
  expect((await repository.run(['cancel', '--remove-state'])).stderr).toContain('demo: nothing to remove.\n');
});

test('a coordinator of another machine is not signalled (R-FILE-6)', async () => {
  const dir = specPrivateFolder(join(repository.dir, '.git'), 'specs/demo');
  const result = await acquireLock(dir, { ...ownOwner(systemClock), host: 'elsewhere' });
  const { code, stderr } = await repository.run(['cancel']);
  if (result.ok) result.lock.release();
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^The coordinator of demo runs on another machine or in another container: process \d+ on elsewhere, .*\nHint: Run "specloop cancel" there\.\n$/,
    ),
  ]);
});

test('the name of a spec is never a path (R-FILE-1)', async () => {
  for (const name of ['', '-x', '../demo', 'demo/../demo', '/etc', 'De mo']) {
    const { code, stdout, stderr } = await repository.run(['status', '--', name]);
    expect([name, code, stdout, stderr.split('\n')[0]]).toEqual([
      name,
      2,
      '',
      `${JSON.stringify(name)} is not the name of a spec.`,
    ]);
  }
});

test('a spec outside of a repository, and one in a bare one, is refused with what to do (R-START-1)', async () => {
  rmSync(join(repository.dir, '.git'), { recursive: true });
  expect((await repository.run(['status'])).stderr).toMatch(/is not in a git repository\.\nHint: .*\.\n$/);
  repository.git('init', '--quiet', '--bare', '.');
  expect((await repository.run(['status'])).stderr).toMatch(/ is a bare repository; .*\.\nHint: .*\.\n$/);
});
