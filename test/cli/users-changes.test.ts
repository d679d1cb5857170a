import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

const read = (path: string) => readFileSync(join(shop.dir, path), 'utf8');
const status = () => shop.git('status', '--porcelain');

/** Runs the spec with an agent that does this in a shell; `$n` is the number of its attempt. */
function implement(does: string, ...options: readonly string[]): Result {
  const script = `cat > /dev/null; n=$SPECLOOP_ATTEMPT; ${does}`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  return shop.run('implement', 'demo', '--review', 'off', ...agent, ...options);
}

/** Starts the spec with an agent that does this, then waits; the coordinator is killed once the agent has. */
async function killed(does: string, ...options: readonly string[]): Promise<void> {
  const script = `cat > /dev/null; ${does}; touch ../ready-$SPECLOOP_TASK_ID; sleep 60`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', `cd ${shop.dir}; ${script}`])];
  const run = shop.start('implement', 'demo', '--review', 'off', ...agent, ...options);
  const ended = once(run, 'exit');
  await expect.poll(() => existsSync(join(shop.dir, '../ready-1.1')), { timeout: 60_000 }).toBe(true);
  run.kill('SIGKILL');
  await ended;
}

/** Text of a file in a ref that the run has named. */
function named({ stderr }: Result, ref: RegExp, path: string): string {
  return shop.git('show', `${ref.exec(stderr)?.[0]}:${path}`);
}

const WORK = 'echo x > a.txt; echo TASK_COMPLETE';

/** Uncommitted changes of the user: a file that git holds, one that it does not, and a third that is staged. */
function dirty(): void {
  for (const path of ['notes.md', 'staged.md']) shop.write(path, 'old\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'notes');
  shop.write('notes.md', 'my text of today\n');
  shop.write('staged.md', 'my staged text\n');
  shop.git('add', 'staged.md');
  shop.write('idea.md', 'half an idea\n');
}
const DIRTY = ' M notes.md\nM  staged.md\n?? idea.md\n';

test('what a reset and a clean of the agent took is put back, the attempt is rejected, and the run goes on (R-START-2)', () => {
  dirty();
  const ran = implement(
    `test $n = 1 && { git reset -q --hard; git clean -qfd; }; ${WORK}`,
    '--allow-dirty',
    '--max-task-iterations',
    '2',
  );
  expect(ran).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(ran.stderr).toContain('notes.md has uncommitted changes of yours, and was changed: put back');
  expect([read('notes.md'), read('staged.md'), read('idea.md')]).toEqual([
    'my text of today\n',
    'my staged text\n',
    'half an idea\n',
  ]);
  expect(status()).toBe(DIRTY);
  expect(shop.git('for-each-ref', 'refs/specloop/yours')).toBe('');
});

test('so it is after an attempt that failed, and what was put in their place is kept under a ref (R-START-2, R-RETRY-4)', () => {
  dirty();
  const ran = implement(`test $n = 1 && { echo formatted > notes.md; exit 1; }; ${WORK}`, '--allow-dirty');
  expect(ran.code).toBe(0);
  expect(read('notes.md')).toBe('my text of today\n');
  expect(named(ran, /refs\/specloop\/yours\/\S+/, 'notes.md')).toBe('formatted\n');
  expect(status()).toBe(DIRTY);
});

test('and after a coordinator that was killed while the agent did it (R-START-2, R-ADV-2)', async () => {
  dirty();
  await killed('git reset -q --hard; rm idea.md', '--allow-dirty');
  expect(existsSync(join(shop.dir, 'idea.md'))).toBe(false);
  expect(implement(WORK, '--allow-dirty')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect([read('notes.md'), read('idea.md')]).toEqual(['my text of today\n', 'half an idea\n']);
  expect(status()).toBe(DIRTY);
});

test('what the Verify command did to them is put back as well (R-START-2)', () => {
  dirty();
  const plan = read('specs/demo/tasks.md').replace('`test -f a.txt`', '`echo done >> notes.md; test -f a.txt`');
  shop.write('specs/demo/tasks.md', plan);
  const ran = implement(WORK, '--allow-dirty', '--max-task-iterations', '1');
  expect(ran.code).toBe(1);
  expect(read('notes.md')).toBe('my text of today\n');
});

test('a commit that a person makes meanwhile is named, with the ref that keeps its author and message (R-ADV-6)', () => {
  const person = `echo mine > notes.txt; git add notes.txt; git commit -qm 'docs: my own note' --author 'Someone <s@example.invalid>'`;
  const ran = implement(`${person}; ${WORK}`);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /1 commit that was made in the meantime is part of its commit: "docs: my own note" by Someone\./,
  );
  const ref = /refs\/specloop\/kept\/\S+-commits/.exec(ran.stderr)?.[0] ?? '';
  expect(shop.git('log', '-1', '--format=%an: %s', ref)).toBe('Someone: docs: my own note\n');
});

test('also where the attempt failed and the commit is no longer on the branch (R-ADV-6, R-RETRY-4)', () => {
  const person = 'echo mine > notes.txt; git add notes.txt; git commit -qm "docs: my own note"';
  const ran = implement(`test $n = 1 && { ${person}; exit 1; }; ${WORK}`);
  expect(ran.stderr).toContain('is no longer on the branch: "docs: my own note" by Test.');
  expect(named(ran, /refs\/specloop\/kept\/\S+/, 'notes.txt')).toBe('mine\n');
});

/** Two tasks that may run at the same time. */
function plan(): void {
  const task = (name: string) =>
    `- [ ] 1.${name} [P] Add ${name}\n  - **Files**: ${name}.txt\n  - **Verify**: \`test -f ${name}.txt\`\n  - **Commit**: \`feat: ${name}\`\n`;
  shop.write('specs/demo/tasks.md', `${task('1')}\n${task('2')}`);
  shop.write('README.md', 'hello\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'plan');
}

test("what a member of a batch wrote into the user's tree is in no commit, and named (R-PAR-3, R-ADV-1)", () => {
  plan();
  const evil = `echo evil > ${shop.dir}/README.md; echo evil > ${shop.dir}/evil.txt`;
  const ran = implement(
    `test $SPECLOOP_TASK_INDEX = 0 && { ${evil}; }; echo x > $((SPECLOOP_TASK_INDEX + 1)).txt; echo TASK_COMPLETE`,
    '--jobs',
    '2',
  );
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('Not committed, in your working tree: README.md, evil.txt.');
  expect(shop.git('show', 'HEAD:README.md')).toBe('hello\n');
});

test("what a member of a batch did to the user's uncommitted changes is put back, and named (R-START-2, R-PAR-3)", () => {
  plan();
  dirty();
  const evil = `git -C ${shop.dir} reset -q --hard; rm ${shop.dir}/idea.md`;
  const ran = implement(
    `test $SPECLOOP_TASK_INDEX = 0 && { ${evil}; }; echo x > $((SPECLOOP_TASK_INDEX + 1)).txt; echo TASK_COMPLETE`,
    '--allow-dirty',
    '--jobs',
    '2',
  );
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('notes.md has uncommitted changes of yours, and was changed: put back');
  expect(status()).toBe(DIRTY);
  expect([read('notes.md'), read('idea.md')]).toEqual(['my text of today\n', 'half an idea\n']);
});

test("a file of another member's that turned up in the user's tree is not taken for its work (R-PAR-3, R-VER-13)", () => {
  plan();
  const ran = implement(
    `if test $SPECLOOP_TASK_INDEX = 0; then echo x > 1.txt; echo by-1 > ${shop.dir}/2.txt; else sleep 1; echo x > 2.txt; fi; echo TASK_COMPLETE`,
    '--jobs',
    '2',
    '--max-task-iterations',
    '1',
  );
  const isTicked = shop.git('show', 'HEAD:specs/demo/tasks.md').includes('- [x] 1.2');
  expect(isTicked).toBe(shop.git('ls-tree', '--name-only', 'HEAD').includes('2.txt'));
  expect(ran.code === 0).toBe(isTicked);
});

test("a member's link does not take the place of the user's ignored folder (R-PAR-3)", () => {
  plan();
  shop.write('.gitignore', 'data/\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'ignore');
  shop.write('data/measured.csv', 'a month of measurements\n');
  implement(
    `test $SPECLOOP_TASK_INDEX = 0 && ln -s ${shop.dir}/data data; echo x > $((SPECLOOP_TASK_INDEX + 1)).txt; echo TASK_COMPLETE`,
    '--jobs',
    '2',
    '--max-task-iterations',
    '2',
  );
  expect(read('data/measured.csv')).toBe('a month of measurements\n');
});

test('a lock that an agent left is cleared before the work is looked at and recorded (R-ADV-6)', () => {
  const ran = implement(`${WORK}; : > .git/index.lock; : > .git/HEAD.lock; : > .git/packed-refs.lock`);
  expect(ran).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(status()).toBe('');
});

test('after an attempt that took a commit off the branch the next begins with a clean index (R-ADV-6)', () => {
  const look = 'git status --porcelain > ../seen';
  const ran = implement(`test $n = 1 && { git reset -q --soft HEAD~1; git reset -q; exit 1; }; ${look}; ${WORK}`);
  expect(ran.code).toBe(0);
  expect(readFileSync(join(shop.dir, '../seen'), 'utf8')).toBe('');
});

test('a repository that was made again in the same place starts; what is left of the other is set aside, and named (R-ADV-6)', async () => {
  plan();
  await killed('echo half > "$SPECLOOP_WORKSPACE/half.txt"', '--jobs', '2');
  rmSync(shop.dir, { recursive: true });
  mkdirSync(shop.dir);
  shop.git('init', '--quiet', '--initial-branch', 'main');
  shop.git('config', 'user.name', 'Test');
  shop.git('config', 'user.email', 'test@example.invalid');
  shop.write('other.txt', 'another repository\n');
  plan();
  shop.git('switch', '--quiet', '--create', 'feat/demo');
  const ran = implement(`echo x > $((SPECLOOP_TASK_INDEX + 1)).txt; echo TASK_COMPLETE`, '--jobs', '2');
  expect(ran).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  const folder = /\S+\/set-aside\/[^\s,]+/.exec(ran.stderr)?.[0] ?? '';
  expect(existsSync(folder)).toBe(true);
});

test.each(['--jobs=2', '--worktree'])('worktrees have the submodules that the main tree has (R-PAR-3): %s', (way) => {
  const library = join(shop.dir, '../library');
  const script = `git init -q ${library} && cd ${library} && echo one > lib.txt && git add -A && git -c user.name=T -c user.email=t@t.invalid commit -qm lib`;
  expect(spawnSync('bash', ['-c', script], { env: shop.env }).status).toBe(0);
  shop.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/lib');
  shop.git('commit', '--quiet', '--message', 'library');
  plan();
  rmSync(library, { recursive: true }); // No network, and no other place than the main tree's own clone.
  const ran = implement(
    'test -f vendor/lib/lib.txt && echo x > $((SPECLOOP_TASK_INDEX + 1)).txt; echo TASK_COMPLETE',
    way,
    '--max-task-iterations',
    '1',
  );
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('ALL_TASKS_COMPLETE') });
});
