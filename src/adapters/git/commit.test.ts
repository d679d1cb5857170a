import { existsSync, readFileSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitText } from './commit.ts';
import { type Repository, repository } from './test-rig.ts';

const ORDER = {
  message: 'feat(x): do it',
  trailers: { 'Specloop-Task': '1.1' },
  paths: 'everything',
  spareIndex: false,
} as const;

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

test('the text of a commit is the message as it is, an empty line, and a line for each trailer (R-ADV-1)', () => {
  expect(commitText('feat: x\n\n# no comment\n  kept  \n', { A: '1', B: '2' })).toBe(
    'feat: x\n\n# no comment\n  kept  \n\nA: 1\nB: 2\n',
  );
  expect(commitText('feat: x', {})).toBe('feat: x\n');
  expect(commitText('feat: x', { A: 'one\r\nB: forged' })).toBe('feat: x\n\nA: one B: forged\n');
});

test('git stores the message without a change (R-ADV-1)', async () => {
  await repo.write('a.txt', 'x\n');
  const message = '-m "quoted" $(x) `y`\n\n# a line with a hash\n\n\n  indented\n';
  await repo.git.commit(repo.tree, { ...ORDER, message });
  expect(await repo.sh('log', '-1', '--format=%B')).toBe(`${message}\nSpecloop-Task: 1.1\n`);
});

describe("the user's hooks are run and never bypassed (R-ADV-1)", () => {
  test.each(['pre-commit', 'commit-msg', 'prepare-commit-msg'])(
    'a %s that fails refuses the commit, with its words',
    async (name) => {
      await repo.hook(name, 'echo "lint: bad $((40 + 2))"; echo "also here" >&2; exit 1');
      await repo.write('a.txt', 'x\n');
      await repo.write('README.md', 'changed\n');
      const done = await repo.git.commit(repo.tree, ORDER);
      expect(done).toMatchObject({ how: 'refused', output: expect.stringMatching(/lint: bad 42[\s\S]*also here/) });
      expect(await repo.sh('rev-parse', 'HEAD')).toBe(repo.first);
      expect(await repo.sh('diff', '--cached', '--name-only')).toBe('');
      expect([await repo.read('a.txt'), await repo.read('README.md')]).toEqual(['x\n', 'changed\n']);
    },
  );

  test('a refusal leaves what else is staged as it was (R-START-2)', async () => {
    await repo.hook('pre-commit', 'exit 1');
    await repo.write('mine.txt', 'staged\n');
    await repo.sh('add', 'mine.txt');
    await repo.write('a.txt', 'x\n');
    await repo.write('README.md', 'changed\n');
    const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt', 'README.md'], spareIndex: true });
    expect(done).toEqual({ how: 'refused', output: '' });
    expect(await repo.sh('status', '--porcelain')).toBe(' M README.md\nA  mine.txt\n?? a.txt');
  });

  test.each([false, true])(
    'a hook may improve files and stage them again; the tree is clean then (something spared: %s)',
    async (spare) => {
      await repo.hook('pre-commit', 'echo formatted > a.txt && git add a.txt');
      if (spare) {
        await repo.write('mine.txt', 'staged\n');
        await repo.sh('add', 'mine.txt');
      }
      await repo.write('a.txt', 'raw\n');
      await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt'], spareIndex: spare });
      expect(await repo.sh('show', 'HEAD:a.txt')).toBe('formatted');
      expect(await repo.sh('status', '--porcelain')).toBe(spare ? 'A  mine.txt' : '');
    },
  );

  test('a paragraph that a hook adds does not hide the record (R-ADV-2)', async () => {
    await repo.hook('commit-msg', 'printf "\\n[skip ci]\\n" >> "$1"');
    await repo.write('a.txt', 'x\n');
    const done = await repo.git.commit(repo.tree, ORDER);
    expect(await repo.sh('log', '-1', '--format=%B')).toContain('[skip ci]');
    const found = await repo.git.findRecord(repo.tree, { since: repo.first, trailers: ORDER.trailers });
    expect(done).toEqual({ how: 'committed', commit: found });
  });

  test('a signing program that fails refuses the commit, with what git says of it', async () => {
    await repo.hook('no-key', 'echo "no key for you" >&2; exit 1');
    await repo.sh('config', 'commit.gpgSign', 'true');
    await repo.sh('config', 'gpg.program', join(repo.tree.dir, '.git/hooks/no-key'));
    await repo.write('a.txt', 'x\n');
    expect(await repo.git.commit(repo.tree, ORDER)).toMatchObject({
      how: 'refused',
      output: expect.stringContaining('failed to sign'),
    });
    expect(await repo.sh('rev-parse', 'HEAD')).toBe(repo.first);
  });

  test('what a hook leaves running holds nothing up', { timeout: 30_000 }, async () => {
    await repo.hook('post-commit', 'sleep 600 & echo $! > child.log');
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
    process.kill(Number(await repo.read('child.log')));
  });

  test("a hook speaks the user's character set, and is asked nothing", async () => {
    await repo.hook('pre-commit', 'locale charmap > charmap.log; test ! -t 0 && test "$GIT_TERMINAL_PROMPT" = 0');
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
    expect(await repo.read('charmap.log')).toBe('UTF-8\n');
  });
});

describe('a hook that hangs is ended with all it started', () => {
  let slow: Repository;
  beforeEach(async () => {
    slow = await repository({ workMs: 3_000 });
  });
  afterEach(() => slow.cleanup());
  const hang = 'echo "waiting for a server"; (sleep 600; touch late) & echo $! > child.log; sleep 600';

  test('before the commit: refused, with its words', async () => {
    await slow.hook('pre-commit', hang);
    await slow.write('a.txt', 'x\n');
    const done = await slow.git.commit(slow.tree, ORDER);
    expect(done).toMatchObject({
      how: 'refused',
      output: expect.stringMatching(/waiting for a server[\s\S]*too long/),
    });
    const child = Number(await slow.read('child.log'));
    await expect.poll(() => isAlive(child)).toBe(false);
    expect(existsSync(join(slow.tree.dir, '.git/index.lock'))).toBe(false);
    expect(await slow.sh('status', '--porcelain')).toBe('?? a.txt');
  });

  test('after the commit: the commit is there, and counts', async () => {
    await slow.hook('post-commit', hang);
    await slow.write('a.txt', 'x\n');
    const done = await slow.git.commit(slow.tree, ORDER);
    expect(done).toEqual({ how: 'committed', commit: await slow.sh('rev-parse', 'HEAD') });
    expect(await slow.sh('show', 'HEAD:a.txt')).toBe('x');
  });
});

test('a name that is not UTF-8 is told, committed and removed like any other (R-SEC-1)', async () => {
  const name = Buffer.concat([Buffer.from(`${repo.tree.dir}/odd-`), Buffer.of(0xff, 0xfe)]);
  await writeFile(name, 'odd\n');
  const { changes } = await repo.git.inspect(repo.tree);
  expect(changes).toEqual([{ path: 'odd-\udcff\udcfe', kind: 'untracked' }]);
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: changes.map(({ path }) => path) })).how).toBe(
    'committed',
  );
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  await repo.git.unwind(repo.tree, repo.first);
  await repo.git.restore(repo.tree, { branch: 'feat/demo', commit: repo.first, spare: ['none'] });
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  await expect(readFile(name)).rejects.toThrow();
});

test('a repository inside the tree is committed as its commit; one without a commit is left out (R-START-6)', async () => {
  for (const inner of ['full', 'empty']) await repo.sh('init', '--quiet', inner);
  await repo.write('full/f.txt', 'x\n');
  await repo.sh('-C', 'full', 'add', '--all');
  await repo.sh('-C', 'full', 'commit', '--quiet', '--message', 'inner');
  await repo.write('a.txt', 'x\n');
  expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  expect(await repo.sh('ls-tree', '--name-only', 'HEAD')).toBe('.gitignore\nREADME.md\na.txt\nfull\nsrc');
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([{ path: 'empty/', kind: 'untracked' }]);
});

test("what lies behind a link that took a folder's place is gone, not followed (R-SEC-1)", async () => {
  await repo.write('../beside/a.ts', 'not ours\n');
  await repo.remove('src');
  await symlink(repo.beside, join(repo.tree.dir, 'src'));
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: ['src/a.ts', 'src'] })).how).toBe('committed');
  expect(await repo.sh('ls-tree', 'HEAD', 'src')).toMatch(/^120000 blob/);
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
});

test('files outside of a sparse checkout are committed when they are named, and none is lost', async () => {
  await repo.sh('sparse-checkout', 'set', 'src');
  await repo.write('docs/new.md', 'new\n');
  expect((await repo.git.commit(repo.tree, { ...ORDER, paths: ['docs/new.md'] })).how).toBe('committed');
  await repo.write('docs/more.md', 'more\n');
  expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  expect(await repo.sh('ls-tree', '-r', '--name-only', 'HEAD')).toBe(
    '.gitignore\nREADME.md\ndocs/more.md\ndocs/new.md\nsrc/a.ts',
  );
});

test('the first commit of a repository', async () => {
  await repo.sh('switch', '--quiet', '--orphan', 'fresh');
  await repo.write('a.txt', 'x\n');
  const done = await repo.git.commit(repo.tree, { ...ORDER, paths: ['a.txt'] });
  expect(done).toEqual({ how: 'committed', commit: await repo.sh('rev-parse', 'HEAD') });
});

/** A process that has ended and that nobody asked about is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
