import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, type Workshop, workshop } from './rig.ts';

let shop: Workshop;
beforeEach(() => {
  shop = workshop();
});
afterEach(() => shop.remove());

interface Job {
  readonly files: string;
  readonly verify: string;
  /** What the agent does, in a shell that has the number of the attempt in `$a`; it then claims completion. */
  readonly does: string;
  readonly mark?: string;
}

/** A plan of these tasks, committed. */
function plan(...jobs: readonly Job[]): void {
  const text = jobs.map(
    ({ files, verify, mark = '' }, n) =>
      `- [ ] 1.${n + 1} ${mark}Task\n  - **Files**: ${files}\n  - **Verify**: \`${verify}\`\n  - **Commit**: \`feat: ${n + 1}\`\n`,
  );
  shop.write('specs/demo/tasks.md', text.join('\n'));
  shop.git('add', '--all');
  shop.git('commit', '--quiet', '--allow-empty', '--message', 'plan');
  for (const [n, { does }] of jobs.entries()) writeFileSync(join(shop.dir, `../do-1.${n + 1}`), does);
}

/** Plans these tasks and runs them. */
function implement(jobs: readonly Job[], ...options: readonly string[]): Result & { readonly said: string } {
  plan(...jobs);
  const script = `cat >/dev/null; a=$SPECLOOP_ATTEMPT; . ${shop.dir}/../do-$SPECLOOP_TASK_ID >&2; echo TASK_COMPLETE`;
  const agent = ['--agent-command', JSON.stringify(['bash', '-c', script])];
  const result = shop.run('implement', 'demo', '--review', 'off', '--max-task-iterations', '1', ...agent, ...options);
  return { ...result, said: result.stdout + result.stderr };
}

const atHead = (path: string): string | undefined => {
  const listed = shop.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  return listed.includes(path) ? shop.git('show', `HEAD:${path}`) : undefined;
};
const DONE = { code: 0, stdout: 'ALL_TASKS_COMPLETE\n' };
const job = (more: Partial<Job> = {}): Job => ({
  files: 'a.txt',
  verify: 'test -f a.txt',
  does: 'echo 1 > a.txt',
  ...more,
});

test('what the Verify command wrote beside the work is put back or set aside, and kept under a ref (R-VER-13)', () => {
  shop.write('golden.txt', 'right\n');
  const verify =
    'echo wrong > golden.txt; mkdir -p coverage; echo 1 > coverage/lcov; git add -A; rm -f specs/demo/notes.md';
  shop.write('specs/demo/notes.md', 'notes\n');
  const { said, ...result } = implement([job({ verify })]);
  expect(result).toMatchObject(DONE);
  expect([atHead('golden.txt'), atHead('coverage/lcov'), atHead('a.txt')]).toEqual(['right\n', undefined, '1\n']);
  expect(atHead('specs/demo/notes.md')).toBe('notes\n');
  expect(said).toMatch(
    /1\.1: the Verify command changed golden\.txt, specs\/demo\/notes\.md; put back, kept under refs/,
  );
  const ref = /the Verify command wrote coverage\/lcov; set aside, kept under (\S+?)\.?\n/.exec(said)?.[1] ?? '';
  expect(shop.git('show', `${ref}:coverage/lcov`)).toBe('1\n');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a protected file that the Verify command writes rejects the attempt (R-VER-13)', () => {
  shop.write('golden.txt', 'right\n');
  shop.write('specloop.config.yaml', 'protect: ["golden.txt"]\n');
  const { code, said } = implement([job({ verify: 'echo wrong > golden.txt' })]);
  expect([code, said]).toEqual([1, expect.stringContaining('Protected files were changed: golden.txt')]);
  expect(readFileSync(join(shop.dir, 'golden.txt'), 'utf8')).toBe('right\n');
});

test('where the Verify command rewrites the work, the new form is proved once more and recorded (R-VER-13)', () => {
  const verify = 'echo run >> ../runs; tr a-z A-Z < a.txt > ../new; cp ../new a.txt';
  const { said, ...result } = implement([job({ verify, does: 'echo text > a.txt' })]);
  expect(result).toMatchObject(DONE);
  expect(atHead('a.txt')).toBe('TEXT\n');
  expect(readFileSync(join(shop.dir, '../runs'), 'utf8')).toBe('run\nrun\n');
  expect(said).toContain('the Verify command rewrote a.txt; the new version was checked again');
});

test('what the Verify command rewrites each time is not recorded (R-VER-13)', () => {
  const { code, said } = implement([job({ verify: 'echo more >> a.txt' })]);
  expect([code, said]).toEqual([1, expect.stringContaining('It rewrites files of the work each time it runs: a.txt.')]);
  expect(atHead('a.txt')).toBeUndefined();
});

test('a Verify command that undoes the work, or commits, proves nothing that could be recorded (R-VER-13)', () => {
  shop.write('b.txt', 'old\n');
  const undone = implement([job({ files: 'b.txt', does: 'echo new > b.txt', verify: 'git checkout -q b.txt' })]);
  expect([undone.code, undone.said]).toEqual([1, expect.stringContaining('or undid the change: b.txt.')]);
  const moved = implement([job({ verify: 'git commit -q --allow-empty -m smuggled' })]);
  expect([moved.code, moved.said]).toEqual([1, expect.stringContaining('It moved HEAD: ')]);
  expect(shop.git('log', '--format=%s')).not.toContain('smuggled');
});

test('work in a repository of its own inside the tree is not recorded, with a commit there or without (R-VER-13)', () => {
  for (const more of [
    '',
    'git add -A; git -c user.name=a -c user.email=a@b commit -qm generated',
    'cd ..; git add web',
  ]) {
    const does = `mkdir -p web; cd web; git init -q; echo 1 > index.js; ${more}`;
    const { code, said } = implement([job({ files: 'web/', verify: 'test -f web/index.js', does })]);
    expect([code, said]).toEqual([1, expect.stringContaining('web is a git repository of its own')]);
    expect(shop.git('status', '--porcelain')).toBe('');
    expect(atHead('web')).toBeUndefined();
  }
});

test('work that git ignores is rejected with the rule that ignores it (R-VER-13)', () => {
  shop.write('.gitignore', 'build/\n');
  const before = implement([
    job({ files: 'build/out.js', does: 'mkdir -p build; echo 1 > build/out.js', verify: 'true' }),
  ]);
  expect([before.code, before.said]).toEqual([1, expect.stringContaining('is ignored by git (.gitignore:1)')]);
  const since = implement([job({ does: 'echo 1 > a.txt; echo a.txt >> .gitignore' })]);
  expect([since.code, since.said]).toEqual([1, expect.stringContaining('a.txt is ignored by git (.gitignore:2)')]);
});

test('a link that leads out of the tree is not recorded (R-VER-13)', () => {
  const { code, said } = implement([job({ does: 'echo 1 > ../outside; ln -s ../outside a.txt' })]);
  expect([code, said]).toEqual([1, expect.stringContaining('a.txt is a link that leads outside the repository')]);
});

test('a link to what git ignores, an empty folder and a pipe are not recorded (R-VER-13)', () => {
  shop.write('.gitignore', 'build/\n');
  for (const [files, does, said] of [
    ['a.txt', 'mkdir -p build; echo 1 > build/a; ln -s build/a a.txt', 'a.txt leads to build/a, which git ignores'],
    ['lib/a.txt', 'mkdir -p build; echo 1 > build/a.txt; ln -s build lib', 'lib leads to build, which git ignores'],
    ['out/', 'mkdir out', 'out/ is a folder without files'],
    ['run/pipe', 'mkdir run; mkfifo run/pipe', 'run/pipe is a pipe'],
  ] as const) {
    const result = implement([job({ files, does, verify: `test -e ${files}` })]);
    expect([result.code, result.said]).toEqual([1, expect.stringContaining(said)]);
  }
});

test('files that were ignored before stay where they are, in no commit, whatever became of the rules (R-VER-13)', () => {
  shop.write('.gitignore', '.env\ndata/\n');
  shop.git('add', '.gitignore');
  shop.write('.env', 'TOKEN=mine\n');
  shop.write('data/rows.csv', '1\n');
  const first = job({ files: '.gitignore', does: 'echo dist/ > .gitignore; test $a = 1 && exit', verify: 'true' });
  const { said, ...result } = implement([first, job()], '--max-task-iterations', '2');
  expect(result).toMatchObject(DONE);
  expect(said).toContain('1.1: no longer ignored, and left out of the commit: .env, data/rows.csv.');
  expect(said).not.toContain('changed outside its Files');
  expect([atHead('.env'), atHead('data/rows.csv'), atHead('.gitignore')]).toEqual([undefined, undefined, 'dist/\n']);
  expect([existsSync(join(shop.dir, '.env')), existsSync(join(shop.dir, 'data/rows.csv'))]).toEqual([true, true]);
  expect(shop.git('for-each-ref', 'refs/specloop/kept')).not.toBe('');
  for (const ref of shop.git('for-each-ref', '--format=%(refname)', 'refs/specloop/kept').trim().split('\n'))
    expect(shop.git('ls-tree', '-r', '--name-only', ref)).not.toContain('.env');
});

test('a new file that is no longer ignored, and that Files names, is part of the work (R-VER-13)', () => {
  shop.write('.gitignore', 'dist/\n');
  const does = 'mkdir dist; echo 1 > dist/out.js; : > .gitignore';
  expect(implement([job({ files: '.gitignore, dist/', does, verify: 'test -f dist/out.js' })])).toMatchObject(DONE);
  expect(atHead('dist/out.js')).toBe('1\n');
});

test('what a hook leaves uncommitted is kept under a ref, and out of the next task (R-VER-13, R-ADV-5)', () => {
  const hook = join(shop.dir, '.git/hooks/pre-commit');
  mkdirSync(join(hook, '..'), { recursive: true });
  const text = '#!/bin/sh\ntest -f a.txt || exit 0\necho formatted >> a.txt\necho cache > .cache\n';
  writeFileSync(hook, text, { mode: 0o755 });
  const { said, ...result } = implement([job(), job({ files: 'b.txt', does: 'echo 1 > b.txt', verify: 'true' })]);
  expect(result).toMatchObject(DONE);
  expect(said).toMatch(
    /1\.1: a commit hook changed a\.txt, \.cache and did not commit it; put back, kept under refs\//,
  );
  expect([atHead('a.txt'), atHead('.cache'), shop.git('status', '--porcelain')]).toEqual(['1\n', undefined, '']);
});

test.each([
  ['leaves it in the tree', 'git reset -q -- a.txt'],
  ['removes it', 'git rm -q -f --ignore-unmatch -- a.txt'],
])('a hook that takes the work out of the commit, and %s, makes no done of it (R-VER-13)', (_, deed) => {
  const hook = join(shop.dir, '.git/hooks/pre-commit');
  mkdirSync(join(hook, '..'), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\n${deed}\nexit 0\n`, { mode: 0o755 });
  const { code, said } = implement([job()]);
  expect([code, said]).toEqual([1, expect.stringContaining('A commit hook took a.txt out of the commit')]);
  expect(shop.git('log', '--format=%s')).not.toContain('feat: 1');
  expect(readFileSync(join(shop.dir, 'specs/demo/tasks.md'), 'utf8')).toContain('- [ ] 1.1');
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a hook that formats a file back to how it was takes nothing out of the commit', () => {
  shop.write('b.txt', 'text\n');
  const hook = join(shop.dir, '.git/hooks/pre-commit');
  mkdirSync(join(hook, '..'), { recursive: true });
  writeFileSync(hook, '#!/bin/sh\nsed -i "s/ *$//" b.txt && git add b.txt\n', { mode: 0o755 });
  expect(implement([job({ files: 'a.txt, b.txt', does: 'echo 1 > a.txt; echo "text  " > b.txt' })])).toMatchObject(
    DONE,
  );
  expect([atHead('a.txt'), atHead('b.txt')]).toEqual(['1\n', 'text\n']);
});

test('a clone of the result holds what was proved (R-VER-13)', () => {
  shop.write('old.txt', 'to go\n');
  const jobs = [
    job({
      files: 'run.sh, old.txt, bin/run',
      does: 'printf "#!/bin/sh\\necho  42\\n" > run.sh; chmod +x run.sh; rm old.txt; mkdir -p bin; ln -s ../run.sh bin/run',
      // It formats the work, and writes beside it.
      verify: 'sed -i "s/  */ /" run.sh; echo 1 > report; test "$(bin/run)" = 42 && test ! -e old.txt',
    }),
    job({
      files: 'sub/deep/a.txt',
      does: 'mkdir -p sub/deep; echo 1 > sub/deep/a.txt',
      verify: 'test -s sub/deep/a.txt',
    }),
  ];
  expect(implement(jobs)).toMatchObject(DONE);
  const clone = join(shop.dir, '../clone');
  shop.git('clone', '--quiet', '--branch', 'feat/demo', shop.dir, clone);
  for (const { verify } of jobs)
    expect(spawnSync('bash', ['-c', verify], { cwd: clone, encoding: 'utf8' })).toMatchObject({ status: 0 });
});

test('without a change a task is done at the second claim only, as unchanged (R-VER-12)', () => {
  shop.write('a.txt', 'there already\n');
  const once = implement([job({ does: 'true' })]);
  expect([once.code, once.said]).toEqual([1, expect.stringContaining('NO CHANGE: no file was changed')]);
  const twice = implement([job({ does: 'true' })], '--max-task-iterations', '2');
  expect(twice).toMatchObject(DONE);
  expect(twice.said).toContain('1.1: done (unchanged), commit');
  expect(twice.said).toContain('Unchanged: 1.1.');
  expect(readFileSync(join(shop.dir, 'specs/demo/.progress.md'), 'utf8')).toContain('Task 1.1: unchanged');
});

test('what a member of a batch wrote by its proof on the merged tree is in no commit (R-VER-13, R-PAR-3)', () => {
  const verify = 'echo 1 > made.txt';
  const first = 'echo 1 > first.txt';
  const { said, ...result } = implement(
    [job({ mark: '[P] ', verify: first }), job({ mark: '[P] ', files: 'b.txt', does: 'echo 1 > b.txt', verify })],
    '--jobs',
    '2',
  );
  expect(result).toMatchObject(DONE);
  expect([atHead('a.txt'), atHead('b.txt'), atHead('made.txt')]).toEqual(['1\n', '1\n', undefined]);
  expect(shop.git('status', '--porcelain')).toBe('');
});

/** A submodule at `lib`, whose file `l` holds `one`, with a change of the user's in another file. */
function withSubmodule(): void {
  const source = join(shop.dir, '../lib');
  shop.git('init', '--quiet', source);
  for (const file of ['l', 'mine']) writeFileSync(join(source, file), 'one\n');
  shop.git('-C', source, 'add', '--all');
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid'];
  shop.git('-C', source, ...who, 'commit', '--quiet', '--message', 'lib');
  shop.git('config', '--global', 'protocol.file.allow', 'always');
  shop.git('submodule', '--quiet', 'add', source, 'lib');
  shop.git('commit', '--quiet', '--message', 'add lib');
  writeFileSync(join(shop.dir, 'lib/mine'), 'my change\n');
}

test('a change inside a submodule that no commit holds is rejected and undone, a change of the user stays (R-VER-13)', () => {
  withSubmodule();
  const does = 'test $a = 1 && { echo two > lib/l; echo new > lib/new; }; cat lib/l > a.txt';
  const { said, ...result } = implement([job({ does })], '--max-task-iterations', '2');
  expect(result).toMatchObject(DONE);
  expect(said).toContain('lib/l is in the submodule lib and not committed there');
  expect([atHead('a.txt'), shop.git('-C', 'lib', 'status', '--porcelain')]).toEqual(['one\n', ' M mine\n']);
  const ref = /is kept in it under (\S+)/.exec(said)?.[1] ?? '';
  expect(shop.git('-C', 'lib', 'show', `${ref}:l`)).toBe('two\n');
  expect(shop.git('-C', 'lib', 'show', `${ref}:mine`)).toBe('one\n');
});

test('a commit that a member of a batch makes in a submodule is made again in the tree, where it stays (R-VER-13, R-PAR-3)', () => {
  withSubmodule();
  const commit = 'git -c user.name=a -c user.email=a@b.invalid commit -qm two l';
  const does = `git submodule update --init -q; cd lib; echo two > l; ${commit}; cd ..`;
  const other = job({ mark: '[P] ', files: 'b.txt', does: 'echo 1 > b.txt', verify: 'true' });
  const member = job({ mark: '[P] ', files: 'lib', does, verify: 'grep -q two lib/l' });
  expect(implement([member, other], '--jobs', '2', '--max-task-iterations', '2')).toMatchObject(DONE);
  expect(shop.git('-C', 'lib', 'show', `${shop.git('rev-parse', 'HEAD:lib').trim()}:l`)).toBe('two\n');
  expect(shop.git('status', '--porcelain', '--ignore-submodules=dirty')).toBe('');
});

test('the last commit of a run renews the index of all specs, where the repository keeps one (R-ADV-3)', () => {
  shop.write('specs/.index/index.json', '{}\n');
  expect(implement([job()])).toMatchObject(DONE);
  expect(JSON.parse(atHead('specs/.index/index.json') ?? '')).toMatchObject({
    specs: [{ name: 'demo', state: 'completed', done: 1, total: 1 }],
  });
  expect(atHead('specs/.index/index.md')).toContain('| [demo](../demo/) | completed | 1 of 1 |');
  expect(shop.git('status', '--porcelain')).toBe('');
});
