import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Operation } from '../../ports/git.ts';
import { type Repository, repository, rigOf } from './test-rig.ts';

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

const clean = () => ({ head: repo.first, branch: 'feat/demo', operation: undefined, changes: [], staged: [] });
const restore = (exclude: readonly string[] = []): Promise<void> =>
  repo.git.restore(repo.tree, { branch: 'feat/demo', commit: repo.first, exclude });

/** Two branches that change the same line. */
async function diverge(): Promise<void> {
  await repo.sh('switch', '--quiet', '--create', 'theirs');
  await repo.write('README.md', 'theirs\n');
  await repo.sh('commit', '--quiet', '--all', '--message', 'theirs');
  await repo.sh('switch', '--quiet', 'feat/demo');
  await repo.write('README.md', 'ours\n');
  await repo.sh('commit', '--quiet', '--all', '--message', 'ours');
}

const begin: Readonly<Record<Operation, () => Promise<unknown>>> = {
  rebase: () => repo.sh('rebase', 'theirs'),
  am: async () => {
    const patch = join(repo.beside, 'patch');
    await writeFile(patch, await repo.sh('format-patch', '--stdout', '-1', 'theirs'));
    await repo.sh('am', patch);
  },
  merge: () => repo.sh('merge', 'theirs'),
  'cherry-pick': () => repo.sh('cherry-pick', 'theirs'),
  revert: () => repo.sh('revert', '--no-edit', 'HEAD~1'),
  bisect: () => repo.sh('bisect', 'start', 'HEAD', 'HEAD~1'),
};
const operations = Object.keys(begin) as Operation[];

describe.each(operations)('a %s that is half done', (operation) => {
  test('is reported (R-START-2)', async () => {
    await diverge();
    await begin[operation]().catch(() => undefined);
    expect((await repo.git.inspect(repo.tree)).operation).toBe(operation);
  });

  test.each([[[]], [['mine.txt']]])('is ended, and all is put back, %j excluded (R-VER-3)', async (exclude) => {
    await diverge();
    await begin[operation]().catch(() => undefined);
    await restore(exclude);
    expect(await repo.git.inspect(repo.tree)).toEqual(clean());
    expect(await repo.read('README.md')).toBe('hello\n');
    expect(await repo.sh('for-each-ref', 'refs/bisect')).toBe('');
  });

  test('is kept in a snapshot as it stands (R-RETRY-4)', async () => {
    await diverge();
    await begin[operation]().catch(() => undefined);
    await repo.write('work.txt', 'half\n');
    const kept = await repo.git.snapshot(repo.tree, {
      ref: 'refs/specloop/kept/x/1',
      base: repo.first,
      message: 'm',
      exclude: [],
    });
    expect(await repo.sh('show', `${kept?.commit}:work.txt`)).toBe('half');
    expect((await repo.git.inspect(repo.tree)).operation).toBe(operation);
  });
});

test('several picks with one in conflict, one operation inside another: all are ended (R-VER-3)', async () => {
  await diverge();
  await repo.sh('cherry-pick', 'theirs', 'feat/demo').catch(() => undefined);
  await repo.sh('bisect', 'start').catch(() => undefined);
  await restore();
  expect(await repo.git.inspect(repo.tree)).toEqual(clean());
});

test('a series of picks that goes on after a commit by hand is reported (R-START-2)', async () => {
  await diverge();
  await repo.sh('cherry-pick', 'theirs', 'feat/demo~1').catch(() => undefined);
  await repo.write('README.md', 'solved\n');
  await repo.sh('commit', '--quiet', '--all', '--message', 'solved');
  expect((await repo.git.inspect(repo.tree)).operation).toBe('cherry-pick');
});

test('an operation that git itself cannot end is ended (R-VER-3)', async () => {
  await repo.write('.git/rebase-merge/head-name', '\n');
  await restore();
  expect(await repo.git.inspect(repo.tree)).toEqual(clean());
});

test('changes of the user that a rebase had stashed are in the stash afterwards, not lost (R-START-2)', async () => {
  await diverge();
  await repo.write('src/a.ts', 'mine\n');
  await repo.sh('rebase', '--autostash', 'theirs').catch(() => undefined);
  await restore(['src/a.ts']);
  expect(await repo.sh('show', 'stash@{0}:src/a.ts')).toBe('mine');
});

describe('a repository that an agent made inside the tree', () => {
  beforeEach(async () => {
    await repo.sh('init', '--quiet', 'inner');
    await repo.write('inner/work.txt', 'inner work\n');
    await repo.write('inner/.gitignore', 'cache/\n');
    await repo.write('inner/cache/big', 'big\n');
    await repo.sh('init', '--quiet', 'inner/deeper');
    await repo.write('inner/deeper/more.txt', 'more\n');
  });

  test('is kept by its files (R-RETRY-4)', async () => {
    const kept = await repo.git.snapshot(repo.tree, {
      ref: 'refs/specloop/kept/x/1',
      base: repo.first,
      message: 'm',
      exclude: [],
    });
    const files = await repo.sh('ls-tree', '-r', '--name-only', kept?.commit ?? '');
    expect(files.split('\n').filter((path) => path.startsWith('inner/'))).toEqual([
      'inner/.gitignore',
      'inner/deeper/more.txt',
      'inner/work.txt',
    ]);
  });

  test.each([[[]], [['mine.txt']]])('is removed, %j excluded', async (exclude) => {
    await restore(exclude);
    expect(await repo.git.inspect(repo.tree)).toEqual(clean());
    expect(await repo.read('inner/work.txt')).toBeUndefined();
  });

  test('stays if it was there before the run (R-START-2)', async () => {
    await repo.write('work.txt', 'x\n');
    await restore(['inner/']);
    expect(await repo.read('inner/work.txt')).toBe('inner work\n');
    expect(await repo.read('work.txt')).toBeUndefined();
  });
});

describe('files that the repository ignores stay, whatever an agent made of the ignore lists', () => {
  test.each([[[]], [['mine.txt']]])('when it removed one, %j excluded', async (exclude) => {
    await repo.write('secret.log', 'precious\n');
    await repo.write('build/out', 'built\n');
    await repo.remove('.gitignore');
    await restore(exclude);
    expect(await repo.git.inspect(repo.tree)).toEqual(clean());
    expect([await repo.read('secret.log'), await repo.read('build/out')]).toEqual(['precious\n', 'built\n']);
  });

  test.each([[[]], [['mine.txt']]])(
    'but what only its own lists ignored is removed like other work, %j excluded',
    async (exclude) => {
      await repo.write('new/.gitignore', 'hidden.txt\n');
      await repo.write('new/hidden.txt', 'x\n');
      await repo.write('new/deep/.gitignore', '*.txt\n');
      await repo.write('new/deep/hidden.txt', 'x\n');
      await repo.write('.gitignore', '*.log\n/build/\n/cache/\n');
      await repo.write('cache/x', 'x\n');
      await restore(exclude);
      expect(await repo.git.inspect(repo.tree)).toEqual(clean());
      expect(existsSync(join(repo.tree.dir, 'new'))).toBe(false);
      expect(existsSync(join(repo.tree.dir, 'cache'))).toBe(false);
    },
  );
});

test('what the user had staged, removed and half staged shows as before (R-START-2)', async () => {
  await repo.write('half.txt', 'one\n');
  await repo.sh('add', 'half.txt');
  await repo.write('half.txt', 'two\n');
  await repo.sh('rm', '--quiet', '--cached', 'README.md');
  await repo.write('src/a.ts', 'mine\n');
  const before = await repo.sh('status', '--porcelain');
  await repo.write('work.txt', 'x\n');
  await restore(['half.txt', 'README.md', 'src/a.ts']);
  expect(await repo.sh('status', '--porcelain')).toBe(before);
  expect(await repo.sh('show', ':half.txt')).toBe('one');
});

test('a submodule that was moved goes back; files changed in it stay', async () => {
  const other = join(repo.beside, 'library');
  await repo.sh('clone', '--quiet', repo.tree.dir, other);
  await repo.sh('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'library');
  await repo.sh('commit', '--quiet', '--message', 'with a library');
  const base = await repo.sh('rev-parse', 'HEAD');
  const library = rigOf({ dir: join(repo.tree.dir, 'library'), env: repo.env });
  await library.write('new.txt', 'x\n');
  await library.sh('add', '--all');
  await library.sh('commit', '--quiet', '--message', 'moved on');
  await library.write('README.md', 'half\n');
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([{ path: 'library', kind: 'modified' }]);
  await repo.git.restore(repo.tree, { branch: 'feat/demo', commit: base, exclude: [] });
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  expect(await library.sh('rev-parse', 'HEAD')).toBe(repo.first);
  expect(await library.read('README.md')).toBe('half\n');
});

test('a lock that a killed git left does not stand in the way (R-DEL-6)', async () => {
  await repo.write('README.md', 'changed\n');
  for (const name of ['index', 'HEAD', 'refs/heads/feat/demo']) await repo.write(`.git/${name}.lock`, '');
  await restore();
  expect(await repo.git.inspect(repo.tree)).toEqual(clean());
  expect(existsSync(join(repo.tree.dir, '.git/index.lock'))).toBe(false);
});

test('a worktree goes back without a change to the tree beside it (R-PAR-3)', async () => {
  const other = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: repo.first });
  await repo.write('README.md', 'mine\n');
  await writeFile(join(other.dir, 'README.md'), 'half\n');
  await repo.git.restore(other, { branch: undefined, commit: repo.first, exclude: [] });
  expect((await repo.git.inspect(other)).changes).toEqual([]);
  expect(await repo.read('README.md')).toBe('mine\n');
});

test('a snapshot needs no identity, and leaves nothing but its ref', async () => {
  await repo.sh('config', 'user.name', '');
  await repo.sh('config', 'user.email', '');
  await repo.write('work.txt', 'x\n');
  const before = await repo.sh('status', '--porcelain');
  const kept = await repo.git.snapshot(repo.tree, {
    ref: 'refs/specloop/kept/x/1',
    base: repo.first,
    message: 'm',
    exclude: [],
  });
  expect(await repo.sh('log', '-1', '--format=%an', kept?.commit ?? '')).toBe('specloop');
  expect(await repo.sh('status', '--porcelain')).toBe(before);
  expect((await repo.sh('ls-files', '--others', '.git')).includes('specloop-index')).toBe(false);
});
