import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

/** A plan of as many tasks marked `[P]`, each with a file of its own, committed. */
function plan(count: number, verify = (n: number) => `test -s ${n}.txt`): void {
  const task = (n: number) =>
    `- [ ] 1.${n} [P] Add ${n}\n  - **Files**: ${n}.txt\n  - **Verify**: \`${verify(n)}\`\n  - **Commit**: \`feat: add ${n}\`\n`;
  shop.write('specs/demo/tasks.md', Array.from({ length: count }, (_, n) => task(n)).join('\n'));
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'plan');
}

const WORK = 'cat >/dev/null; echo "$SPECLOOP_TASK_INDEX" > "$SPECLOOP_TASK_INDEX.txt"';

/** Runs the plan with an agent that does this in a shell, which has the number of its task in `$n`. */
function implement(does: string, ...options: readonly string[]): Result {
  const script = `n=$SPECLOOP_TASK_INDEX; ${does}`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  return shop.run('implement', 'demo', '--jobs', '2', '--review', 'off', ...agent, ...options);
}

const subjects = () => shop.git('log', '--reverse', '--format=%s', 'main..feat/demo').trim().split('\n');
const filesAtHead = () => shop.git('ls-tree', '-r', '--name-only', 'feat/demo').trim().split('\n');

test('what agents tick and commit themselves is brought onto the branch as the work of all others is (R-DEL-5, R-PAR-3)', () => {
  plan(2);
  const does = `${WORK}; sed -i "s/^- \\[ \\] 1.$n /- [x] 1.$n /" specs/demo/tasks.md; git add -A; git commit -qm "feat: add $n"; echo TASK_COMPLETE`;
  expect(implement(does, '--bookkeeping', 'agent')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual(['feat: add 0', 'feat: add 1']);
  expect(filesAtHead()).toEqual(expect.arrayContaining(['0.txt', '1.txt']));
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('members are recorded on the branch of the run or not at all (R-VER-3)', () => {
  plan(2);
  const repository = shop.dir;
  const does = `${WORK}; test $n = 0 && git -C ${repository} switch --quiet --create other; echo TASK_COMPLETE`;
  const { code, stderr } = implement(does);
  expect([code, stderr]).toEqual([1, expect.stringContaining('is on other instead of feat/demo')]);
  expect(shop.git('rev-parse', 'other')).toBe(shop.git('rev-parse', 'feat/demo'));
  shop.git('switch', '--quiet', 'feat/demo');
  expect(implement('exit 1')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual(['feat: add 0', 'feat: add 1']);
});

test('a commit that somebody makes while a batch is at work stays on the branch, and is named (R-ADV-6)', () => {
  plan(2);
  const own = `cd ${shop.dir} && echo mine > mine.txt && git add mine.txt && git commit -qm "words of my own"`;
  const { code, stderr } = implement(`${WORK}; test $n = 0 && (${own}); echo TASK_COMPLETE`);
  expect(code).toBe(0);
  expect(stderr).toContain('1 commit that was made in the meantime is on the branch too: "words of my own" by ');
  expect(subjects()).toContain('words of my own');
});

test('a branch that a member rewrote is no ground to record on (R-VER-3)', () => {
  plan(2);
  const does = `${WORK}; test $n = 1 && git -C ${shop.dir} update-ref refs/heads/feat/demo HEAD~1; echo TASK_COMPLETE`;
  const { code, stdout, stderr } = implement(does);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('The branch feat/demo was rewritten');
});

test('a run that is stopped while it makes worktrees goes on at the next start (R-UX-3)', async () => {
  plan(2);
  const mark = join(shop.dir, '../setting-up');
  shop.write('setup.sh', `touch ${mark}; sleep 2\n`);
  shop.write('specloop.config.yaml', 'worktree:\n  setup: sh ./setup.sh\n');
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--message', 'setup');
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', `${WORK}; echo TASK_COMPLETE`])];
  const command = ['implement', 'demo', '--jobs', '2', '--review', 'off', ...agent];
  const run = shop.start(...command);
  const ended = new Promise((resolve) => run.on('exit', resolve));
  await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
  run.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(shop.run(...command)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('however many work at the same time, nothing but the run is reported (R-UX-5)', () => {
  plan(14);
  const { code, stderr } = implement(`${WORK}; sleep 0.5; echo TASK_COMPLETE`, '--jobs', '14');
  expect(code).toBe(0);
  expect(stderr).not.toContain('Warning');
});

test('accepted work is not done again because a second Ctrl-C ended git while it was recorded (R-UX-3)', async () => {
  const [mark, slow, calls] = ['mark', 'slow', 'calls'].map((name) => join(shop.dir, '..', name));
  shop.write('.gitattributes', '[0-9].txt filter=slow\n');
  shop.git('config', 'filter.slow.clean', `if test -e ${slow}; then touch ${mark}; sleep 6; fi; cat`);
  plan(2);
  writeFileSync(slow ?? '', '');
  const script = `cat >/dev/null; echo $SPECLOOP_TASK_ID >> ${calls}; echo x > "$SPECLOOP_TASK_INDEX.txt"; echo TASK_COMPLETE`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  const command = ['implement', 'demo', '--jobs', '2', '--review', 'off', ...agent];
  const run = shop.start(...command);
  const ended = new Promise((resolve) => run.on('exit', resolve));
  await expect.poll(() => existsSync(mark ?? ''), { timeout: 20_000 }).toBe(true);
  run.kill('SIGINT');
  await new Promise((resolve) => setTimeout(resolve, 300));
  run.kill('SIGINT');
  await ended;
  rmSync(slow ?? '');
  expect(shop.run(...command)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(
    readFileSync(calls ?? '', 'utf8')
      .trim()
      .split('\n')
      .toSorted(),
  ).toEqual(['1.0', '1.1']);
});

test('branches below ours that a person made stay, also one that is called as we are (R-PAR-3)', () => {
  plan(2);
  const theirs = ['specloop', 'specloop-batch/specs_2Fdemo/mine'];
  for (const name of theirs) shop.git('branch', name);
  expect(implement(`${WORK}; echo TASK_COMPLETE`)).toMatchObject({ code: 0 });
  expect(shop.git('branch', '--format=%(refname:short)', '--list', 'specloop*').trim().split('\n')).toEqual(theirs);
});

test('what a member of a shared tree noted in an attempt that failed is merged with the next (R-PAR-4)', () => {
  plan(2);
  const once = join(shop.dir, '../once');
  const notes = `printf '# Progress\\n\\n## Learnings\\n\\n- note of $n\\n' > specs/demo/.progress-task-$n.md`;
  const does = `${WORK}; if test $n = 0 && test ! -e ${once}; then touch ${once}; ${notes}; rm 0.txt; fi; echo TASK_COMPLETE`;
  expect(implement(does, '--isolation', 'shared')).toMatchObject({ code: 0 });
  expect(readFileSync(join(shop.dir, 'specs/demo/.progress.md'), 'utf8')).toContain('- note of ');
  expect(existsSync(join(shop.dir, 'specs/demo/.progress-task-0.md'))).toBe(false);
});

test('what another member has written in a shared tree is not taken for what a commit hook left (R-PAR-3, R-ADV-5)', () => {
  plan(2);
  writeFileSync(join(shop.dir, '.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 });
  const recorded = 'git log -1 --format=%s | grep -q "add 0"';
  // The last member is at work while the first one is recorded, and for as long as its leftovers would be looked for.
  const does = `${WORK}; if test $n = 1; then until ${recorded}; do sleep 0.1; done; sleep 1; fi; echo TASK_COMPLETE`;
  expect(implement(does, '--isolation', 'shared')).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
  expect(shop.git('for-each-ref', 'refs/specloop/kept')).toBe('');
});

test.each([
  ['its .git is gone', 'rm .git'],
  ['its .git is garbage', 'echo garbage > .git'],
  ['it made a repository of its own', 'rm .git; git init --quiet'],
  ['its index is garbage', 'echo garbage > "$(git rev-parse --git-dir)/index"'],
  ['its private git folder is gone', 'rm -r "$(git rev-parse --git-dir)"'],
])('a member fails one attempt, and its files are kept, when %s (R-RETRY-4)', (_, damage) => {
  plan(2);
  const once = join(shop.dir, '../once');
  const damages = `if test $n = 0 && test ! -e ${once}; then touch ${once}; echo first > first.txt; ${damage}; fi`;
  expect(implement(`${WORK}; ${damages}; echo TASK_COMPLETE`)).toMatchObject({
    code: 0,
    stdout: 'ALL_TASKS_COMPLETE\n',
  });
  expect(subjects().filter((subject) => subject.startsWith('feat'))).toEqual(['feat: add 1', 'feat: add 0']);
  const refs = shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').trim().split('\n');
  expect(refs.map((ref) => shop.git('ls-tree', '--name-only', ref)).join('')).toContain('first.txt');
  expect(shop.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  expect(shop.git('branch', '--list', 'specloop-batch/*')).toBe('');
});

test.each([
  ['damages its index', 'echo garbage > "$(git rev-parse --git-dir)/index"'],
  ['removes it', 'rm -rf "$PWD"'],
])('a Verify command that passes in the worktree and %s costs the member one attempt (R-RETRY-4)', (_, damage) => {
  const once = join(shop.dir, '../once');
  plan(2, (n) => `test -s ${n}.txt && { test -e ${once} || { touch ${once}; ${damage}; }; }`);
  expect(implement(`${WORK}; echo TASK_COMPLETE`, '--trust')).toMatchObject({
    code: 0,
    stdout: 'ALL_TASKS_COMPLETE\n',
  });
  expect(subjects().filter((subject) => subject.startsWith('feat'))).toHaveLength(2);
  expect(shop.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});

test('a submodule that a member moved is recorded where it was moved to (R-PAR-3)', () => {
  const library = join(shop.dir, '../library');
  shop.git('init', '--quiet', library);
  const inLibrary = (...args: readonly string[]) =>
    shop.git('-C', library, '-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args).trim();
  for (const message of ['one', 'two']) inLibrary('commit', '--quiet', '--allow-empty', '--message', message);
  shop.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
  plan(2);
  const moves = 'git -c protocol.file.allow=always submodule --quiet update --init; git -C library checkout -q HEAD~1';
  expect(implement(`${WORK}; if test $n = 0; then ${moves}; fi; echo TASK_COMPLETE`, '--scope', 'off')).toMatchObject({
    code: 0,
  });
  expect(shop.git('rev-parse', 'HEAD:library').trim()).toBe(inLibrary('rev-parse', 'HEAD~1'));
  expect(shop.git('show', '--format=', '--name-only', ':/feat: add 0').split('\n')).toContain('library');
});

test("work that the rules of the user's tree alone ignore is recorded as it was proved (R-PAR-3, R-VER-13)", () => {
  plan(2);
  shop.git('config', 'core.excludesFile', '.rules');
  writeFileSync(join(shop.dir, '.rules'), '*.gen\n.rules\n');
  const { code, stdout } = implement(`${WORK}; echo x > "$n.gen"; echo TASK_COMPLETE`, '--scope', 'off');
  expect([code, stdout]).toEqual([0, 'ALL_TASKS_COMPLETE\n']);
  expect(filesAtHead()).toEqual(expect.arrayContaining(['0.txt', '0.gen', '1.txt', '1.gen']));
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a repository whose .git is a link has batches as any other (R-PAR-3)', () => {
  plan(2);
  renameSync(join(shop.dir, '.git'), join(shop.dir, '../elsewhere'));
  symlinkSync('../elsewhere', join(shop.dir, '.git'));
  expect(implement(`${WORK}; echo TASK_COMPLETE`)).toMatchObject({ code: 0, stdout: 'ALL_TASKS_COMPLETE\n' });
});

test('a crash between merge and commit does not lose the work, even with the worktrees gone (R-ADV-2)', () => {
  plan(2);
  const once = join(shop.dir, '../once');
  const hook = `#!/bin/sh\ngrep -q 'add 1' "$1" && test ! -e ${once} && touch ${once} && kill -9 $(ps -o ppid= -p $PPID)\nexit 0\n`;
  writeFileSync(join(shop.dir, '.git/hooks/commit-msg'), hook, { mode: 0o755 });
  const first = implement(`${WORK}; echo TASK_COMPLETE`);
  expect(existsSync(once)).toBe(true);
  if (first.code === 0) return;
  rmSync(join(shop.dir, '../home/.cache'), { recursive: true, force: true });
  expect(implement(`${WORK}; echo TASK_COMPLETE`)).toMatchObject({ code: 0 });
  expect(shop.git('show', '--format=', '--name-only', ':/feat: add 1').split('\n')).toContain('1.txt');
  expect(shop.git('status', '--porcelain')).toBe('');
});
