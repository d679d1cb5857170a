import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readWorktreeRecord, writeWorktreeRecord } from '../../adapters/store/worktree-record.ts';
import { begun } from '../../core/view/test-rig.ts';
import { type Outcome, output, type TestRepository, testRepository } from '../shared/test-rig.ts';
import { runImplement } from './run-implement.ts';

const PLAN = (name: string) =>
  `# Tasks\n\n- [ ] 1.1 Add the file\n  - **Files**: ${name}.txt\n  - **Verify**: \`test -f ${name}.txt\`\n`;
const WORKS = 'touch $SPECLOOP_SPEC.txt; echo TASK_COMPLETE';

let repository: TestRepository;
beforeAll(() => {
  process.setMaxListeners(0); // Each run listens for signals.
});
beforeEach(() => {
  repository = testRepository();
  repository.write('specs/demo/tasks.md', PLAN('demo'));
  repository.write('specs/other/tasks.md', PLAN('other'));
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'begin');
});
afterEach(() => repository.remove());

/** The worktree of a spec, or a file in it. */
const beside = (spec: string, ...path: readonly string[]) => join(`${repository.dir}-${spec}`, ...path);

function implement(spec: string, agent: string, ...options: readonly string[]): Promise<Outcome> {
  const command = JSON.stringify(['bash', '-c', agent]);
  const fixed = ['--review', 'off', '--max-task-iterations', '1', '--agent-command', command];
  return repository.run(['implement', spec, ...fixed, ...options], { env: { SPECLOOP_TRUST: '1' } });
}

const inWorktree = (spec: string, agent = WORKS, ...options: readonly string[]) =>
  implement(spec, agent, '--worktree', ...options);

/** All that a run in a worktree must not change in the user's tree. */
function userTree(): readonly string[] {
  const { git } = repository;
  return [
    git('status', '--porcelain', '--ignored'),
    git('rev-parse', '--abbrev-ref', 'HEAD'),
    git('rev-parse', 'HEAD'),
  ];
}

test('two specs at once, started from one tree, complete on branches of their own, and that tree is untouched (R-START-2, R-FILE-6)', async () => {
  repository.write('mine.txt', 'not committed\n');
  const before = userTree();
  const outcomes = await Promise.all(['demo', 'other'].map((spec) => inWorktree(spec, `sleep 0.3; ${WORKS}`)));
  for (const [n, spec] of ['demo', 'other'].entries()) {
    expect(outcomes[n]).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
    const lines = outcomes[n]?.stderr.trimEnd().split('\n') ?? [];
    expect(lines).toContain(`Created the worktree ${beside(spec)}, on the new branch feat/${spec}.`);
    expect(lines.at(-1)).toBe(
      `The work is on the branch feat/${spec}, in ${beside(spec)}. Merge it with \`git merge feat/${spec}\`; then \`git worktree remove ${beside(spec)}\`.`,
    );
    expect(repository.git('show', '--format=', '--name-only', `feat/${spec}~1`)).toContain(`${spec}.txt`);
  }
  expect(userTree()).toEqual(before);
});

test('of two starts of one spec at once, one is refused (R-FILE-6)', async () => {
  const outcomes = await Promise.all([1, 2].map(() => inWorktree('demo', `sleep 0.5; ${WORKS}`)));
  expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(outcomes.find(({ code }) => code === 2)?.stderr).toMatch(
    /Another coordinator is working on the (spec|branch)/,
  );
  expect(repository.git('branch', '--list', 'feat/*').trim().split('\n')).toEqual(['+ feat/demo']);
});

test('a spec that was planned and not committed comes along, is committed there, and stays as it is here (R-START-6)', async () => {
  repository.git('rm', '--quiet', '-r', '--cached', 'specs/other');
  repository.git('commit', '--quiet', '--message', 'without it');
  repository.write('.git/info/exclude', '*.local.md\n.ralph-state.json\n');
  repository.write('specs/other/notes.local.md', 'ignored\n');
  repository.write('specs/other/.ralph-state.json', '{ "phase": "tasks", "mine": 7 }');
  const before = userTree();
  const { code, stderr } = await inWorktree('other', `test -f specs/other/notes.local.md && ${WORKS}`);
  expect(stderr).toContain(
    '\nCopied uncommitted files of the spec (specs/other/tasks.md) to the worktree, where the run commits them.',
  );
  expect([code, userTree()]).toEqual([0, before]);
  expect(repository.git('show', 'feat/other:specs/other/tasks.md')).toContain('- [x] 1.1');
  const [run = ''] = await repository.archive('other').list();
  const kept = join(repository.dir, '.git/.specloop/specs/specs%2Fother/runs', run, 'ralph-state.json');
  expect(readFileSync(kept, 'utf8')).toContain('"mine": 7');
});

test('changes to a committed spec come along as well, and what was deleted goes (R-START-6)', async () => {
  repository.write('specs/demo/design.md', 'old\n');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'design');
  repository.write('specs/demo/tasks.md', PLAN('changed'));
  rmSync(join(repository.dir, 'specs/demo/design.md'));
  expect(await inWorktree('demo', 'touch changed.txt; echo TASK_COMPLETE')).toMatchObject({ code: 0 });
  expect(repository.git('ls-tree', '--name-only', 'feat/demo', 'specs/demo/')).toBe(
    'specs/demo/.progress.md\nspecs/demo/tasks.md\n',
  );
  expect(repository.git('status', '--porcelain')).toBe(' D specs/demo/design.md\n M specs/demo/tasks.md\n');
});

test('the same command goes on in the worktree of a run that got stuck, also from inside of it', async () => {
  expect(await inWorktree('demo', 'echo TASK_COMPLETE')).toMatchObject({ code: 1 });
  const inside = ['implement', 'demo', '--worktree', '--agent-command', 'false', '--dry-run', '--cwd', beside('demo')];
  expect((await repository.run(inside)).stderr).toBe(
    `Working in the worktree ${beside('demo')}, on the branch feat/demo.\n`,
  );
  const { code, stderr } = await inWorktree('demo');
  expect([code, stderr]).toEqual([0, expect.stringContaining(`Working in the worktree ${beside('demo')}, on`)]);
  expect(repository.git('branch', '--list', 'feat/*')).toBe('+ feat/demo\n');
});

test('a worktree whose folder was deleted by hand is made again, on its branch, with what was done (R-ADV-2)', async () => {
  const plan = `${PLAN('demo')}- [ ] 1.2 Add more\n  - **Files**: more.txt\n  - **Verify**: \`test -f more.txt\`\n`;
  repository.write('specs/demo/tasks.md', plan);
  expect(await inWorktree('demo')).toMatchObject({ code: 1 });
  rmSync(beside('demo'), { recursive: true });
  repository.git('worktree', 'add', '--quiet', '--detach', beside('others'));
  rmSync(beside('others'), { recursive: true });
  const { code, stderr } = await inWorktree('demo', 'test -f demo.txt && touch more.txt; echo TASK_COMPLETE');
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining(`Created the worktree ${beside('demo')}, on the branch feat/demo.\n`),
  ]);
  expect(repository.git('worktree', 'list', '--porcelain')).toContain(beside('others'));
});

test('a path that is taken is left alone, and the start refused with a way on', async () => {
  mkdirSync(beside('demo'));
  writeFileSync(beside('demo', 'mine.txt'), 'mine');
  const refused = await inWorktree('demo');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /^The worktree of demo would be .*-demo, but something else is there\.\nHint: Move it/,
  );
  expect(readFileSync(beside('demo', 'mine.txt'), 'utf8')).toBe('mine');
  expect(repository.git('branch', '--list', 'feat/*')).toBe('');
});

test('what a crash left of a worktree that was just being made is made whole (R-ADV-2)', async () => {
  const at = repository.git('rev-parse', 'HEAD').trim();
  repository.git('worktree', 'add', '--quiet', '-b', 'feat/demo', beside('demo'));
  writeFileSync(join(repository.dir, '.git/worktrees/repository-demo/locked'), 'initializing');
  rmSync(beside('demo', 'specs'), { recursive: true });
  const dir = join(repository.dir, '.git/.specloop/specs/specs%2Fdemo');
  writeWorktreeRecord(dir, { dir: beside('demo'), branch: 'feat/demo', at, stage: 'adding' });
  expect(await inWorktree('demo')).toMatchObject({ code: 0 });
  expect(readWorktreeRecord(dir)).toEqual({ dir: beside('demo'), branch: 'feat/demo', at, stage: 'ready' });
  expect(repository.git('branch', '--list', 'feat/*')).toBe('+ feat/demo\n');
});

test('--dry-run shows the order and the worktree that would be made, and makes none (R-START-8)', async () => {
  const { code, stdout, stderr } = await inWorktree('demo', WORKS, '--dry-run');
  expect([code, stderr]).toEqual([0, `Would create the worktree ${beside('demo')}, on the new branch feat/demo.\n`]);
  expect(stdout).toMatch(/^demo: 0 of 1 task done[\s\S]*0\. 1\.1 Add the file[\s\S]*\nNothing was changed\.\n$/);
  expect([existsSync(beside('demo')), existsSync(join(repository.dir, '.git/.specloop'))]).toEqual([false, false]);
  expect(repository.git('branch', '--list', 'feat/*')).toBe('');
});

test('nothing is made before the commands are trusted; what is trusted here is trusted in the worktree (R-SEC-1, R-START-1)', async () => {
  repository.write('specloop.config.yaml', 'worktree: { setup: [touch, set-up.txt] }\n');
  repository.git('add', 'specloop.config.yaml');
  repository.git('commit', '--quiet', '--message', 'settings');
  const command = ['implement', 'demo', '--worktree', '--review', 'off', '--agent-command', '["bash","-c","exit 1"]'];
  const once = ['--max-task-iterations', '1'];
  const refused = await repository.run([...command, ...once]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('the setting worktree.setup') });
  expect(existsSync(beside('demo'))).toBe(false);
  expect(await repository.run([...command, ...once, '--trust', '--allow-dirty'])).toMatchObject({ code: 1 });
  expect(await repository.run([...command, ...once, '--allow-dirty', '--cwd', beside('demo')])).toMatchObject({
    code: 1,
  });
});

test('ignored files and the setup make it ready, once; a setup that failed is run again (R-PAR-3)', async () => {
  repository.write('.gitignore', '.env\nset-up.txt\n');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'ignore');
  repository.write('.env', 'KEY=1\n');
  const setup = ['bash', '-c', 'echo run >> set-up.txt; test -f ../allowed'];
  repository.write('specloop.config.yaml', `worktree: { copy: [.env], setup: ${JSON.stringify(setup)} }\n`);
  const failed = await inWorktree('demo');
  expect(failed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/The setup command .* failed with exit code 1/),
  });
  expect(failed.stderr).toMatch(/\nHint: Fix this \(in .*-demo too\), then run the same command again\.\n$/);
  writeFileSync(join(repository.dir, '../allowed'), '');
  expect(await inWorktree('demo', 'echo TASK_COMPLETE')).toMatchObject({ code: 1 });
  expect(await inWorktree('demo', `grep KEY .env && ${WORKS}`)).toMatchObject({ code: 0 });
  expect(readFileSync(beside('demo', 'set-up.txt'), 'utf8')).toBe('run\nrun\n');
});

test('a signal while the setup runs ends it, and the next start runs it again (R-UX-3)', async () => {
  repository.write('.gitignore', 'set-up.txt\n');
  repository.git('add', '--all');
  repository.git('commit', '--quiet', '--message', 'ignore');
  const setup = ['bash', '-c', 'echo run >> set-up.txt; test -f ../allowed || sleep 60'];
  repository.write('specloop.config.yaml', `worktree: { setup: ${JSON.stringify(setup)} }\n`);
  const stderr = output();
  let stop: (signal: 'SIGINT') => void = () => {};
  const env = { PATH: process.env.PATH, HOME: join(repository.dir, '../home'), SPECLOOP_TRUST: '1' };
  const running = runImplement(
    { cwd: repository.dir, env, stdout: output(), stderr },
    { spec: 'demo', settings: { agentCommand: 'false' }, json: false, worktree: true },
    (tell) => {
      stop = tell;
    },
  );
  await vi.waitUntil(() => existsSync(beside('demo', 'set-up.txt')), 30_000);
  stop('SIGINT');
  expect(await running).toBe(130);
  expect(stderr.text()).toMatch(
    /\nStopped before the run began\. Run `specloop implement demo --worktree` to continue\.\n$/,
  );
  writeFileSync(join(repository.dir, '../allowed'), '');
  expect(await inWorktree('demo')).toMatchObject({ code: 0 });
  expect(readFileSync(beside('demo', 'set-up.txt'), 'utf8')).toBe('run\nrun\n');
});

test('status, list, tasks, trust and cancel read the spec where its run works, and say so (R-FILE-7)', async () => {
  await inWorktree('demo', 'echo TASK_COMPLETE');
  const text = readFileSync(beside('demo', 'specs/demo/tasks.md'), 'utf8');
  writeFileSync(beside('demo', 'specs/demo/tasks.md'), text.replace('[ ]', '[x]'));
  const { run } = repository;
  expect((await run(['status', 'demo'])).stdout).toMatch(
    /^demo \(specs\/demo\): 1 of 1 task done, phase .*\nIn the worktree .*-demo\nNot running\./,
  );
  expect(JSON.parse((await run(['status', 'demo', '--json'])).stdout)).toMatchObject({
    done: 1,
    worktree: beside('demo'),
  });
  expect((await run(['list'])).stdout).toContain(`demo       1/1  specs/demo  in ${beside('demo')}\n`);
  expect(await run(['tasks', 'demo'])).toMatchObject({
    stdout: expect.stringContaining('1 of 1 task done'),
    stderr: `In the worktree ${beside('demo')}:\n`,
  });
  writeFileSync(beside('demo', 'specs/demo/tasks.md'), text.replace('demo.txt`', 'inserted.txt`'));
  expect((await run(['trust', 'demo', '--list'])).stdout).toContain('test -f inserted.txt');
  expect(existsSync(beside('demo', 'specs/demo/.ralph-state.json'))).toBe(true);
  expect((await run(['cancel', 'demo', '--remove-state'])).stderr).toContain(`In the worktree ${beside('demo')}:\n`);
  expect(existsSync(beside('demo', 'specs/demo/.ralph-state.json'))).toBe(false);
});

test('once its branch is merged, the spec is read here again, and the next run gets a new branch (R-START-2)', async () => {
  await inWorktree('demo');
  repository.git('merge', '--quiet', 'feat/demo');
  expect(JSON.parse((await repository.run(['status', 'demo', '--json'])).stdout)).toMatchObject({
    worktree: null,
    done: 1,
  });
  repository.git('worktree', 'remove', beside('demo'));
  const more = `${readFileSync(join(repository.dir, 'specs/demo/tasks.md'), 'utf8')}- [ ] 1.2 Add more\n  - **Files**: more.txt\n  - **Verify**: \`test -f more.txt\`\n`;
  repository.write('specs/demo/tasks.md', more);
  expect(await inWorktree('demo', 'touch more.txt; echo TASK_COMPLETE')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('on the new branch feat/demo-2.\n'),
  });
});

test('without --worktree an unfinished run is not begun anew beside its worktree (R-ADV-2)', async () => {
  repository.git('worktree', 'add', '--quiet', '-b', 'feat/demo', beside('demo'));
  const head = repository.git('rev-parse', 'HEAD').trim();
  await repository.record('demo', [
    begun([]),
    { type: 'run-prepared', branch: 'feat/demo', head, foreign: [], notes: [] },
  ]);
  const refused = await implement('demo', WORKS);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toBe(
    `The unfinished run of demo uses the worktree ${beside('demo')}, on the branch feat/demo.\nHint: Continue there ("cd ${beside('demo')} && specloop implement demo") or from here ("specloop implement demo --worktree"), or discard the run with "specloop cancel demo --remove-state".\n`,
  );
});

test("--reset-state rebuilds the state in the worktree, and leaves the one in the user's tree (R-START-5)", async () => {
  repository.write('.git/info/exclude', '.ralph-state.json*\n');
  repository.write('specs/demo/.ralph-state.json', '{ broken');
  expect(await inWorktree('demo')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a state file') });
  expect(existsSync(beside('demo'))).toBe(false);
  expect(await inWorktree('demo', WORKS, '--reset-state')).toMatchObject({ code: 0 });
  expect(readFileSync(join(repository.dir, 'specs/demo/.ralph-state.json'), 'utf8')).toBe('{ broken');
});
