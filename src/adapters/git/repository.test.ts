import { mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { excludeOnce } from './exclude.ts';
import { findRepository, ignoredPaths, type RepositoryPlace, readFacts } from './repository.ts';
import { type Repository, repository } from './test-rig.ts';

let repo: Repository;
let place: RepositoryPlace;
beforeEach(async () => {
  repo = await repository();
  place = { root: repo.tree.dir, commonDir: join(repo.tree.dir, '.git'), gitDir: join(repo.tree.dir, '.git') };
});
afterEach(() => repo.cleanup());

test('a repository is found from its root, from a folder in it, and through a link (R-START-1)', async () => {
  await symlink(repo.tree.dir, join(repo.beside, 'link'));
  for (const dir of [repo.tree.dir, join(repo.tree.dir, 'src'), join(repo.beside, 'link')]) {
    expect(await findRepository(dir, repo.env)).toEqual({ is: 'repository', place });
  }
});

test('a worktree has a private folder of its own and shares the rest', async () => {
  const { dir } = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: repo.first });
  const gitDir = join(place.commonDir, 'worktrees/worktree');
  expect(await findRepository(dir, repo.env)).toEqual({
    is: 'repository',
    place: { root: dir, commonDir: place.commonDir, gitDir },
  });
});

test('no repository, the inside of .git, and a bare one are distinguished (R-START-1)', async () => {
  await repo.sh('init', '--quiet', '--bare', join(repo.beside, 'bare'));
  await mkdir(join(repo.beside, 'plain'));
  expect(await findRepository(join(repo.beside, 'plain'), repo.env)).toEqual({ is: 'none' });
  expect(await findRepository(place.commonDir, repo.env)).toEqual({ is: 'none' });
  expect(await findRepository(join(repo.beside, 'bare'), repo.env)).toEqual({
    is: 'bare',
    gitDir: join(repo.beside, 'bare'),
  });
});

test('a working tree that a setting places elsewhere is named (R-START-1)', async () => {
  const dir = join(repo.beside, 'placed');
  await repo.sh('init', '--quiet', dir);
  await repo.sh('-C', dir, 'config', 'core.worktree', '/nowhere');
  expect(await findRepository(dir, repo.env)).toEqual({
    is: 'elsewhere',
    gitDir: join(dir, '.git'),
    root: '/nowhere',
  });
});

test('branches, with the default of main or master (R-START-2)', async () => {
  expect(await readFacts(place, repo.env)).toEqual({
    root: place.root,
    commonDir: place.commonDir,
    branches: ['feat/demo', 'main'],
    defaultBranch: 'main',
    hasIdentity: true,
  });
  await repo.sh('branch', '--move', 'main', 'trunk');
  expect((await readFacts(place, repo.env)).defaultBranch).toBeUndefined();
  await repo.sh('branch', 'master');
  expect((await readFacts(place, repo.env)).defaultBranch).toBe('master');
});

test("the remote's HEAD says which branch is the default (R-START-2)", async () => {
  await repo.sh('update-ref', 'refs/remotes/origin/release/next', repo.first);
  await repo.sh('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/next');
  expect((await readFacts(place, repo.env)).defaultBranch).toBe('release/next');
});

test('a default branch that is only at the remote is known as well (R-START-2)', async () => {
  await repo.sh('branch', '--quiet', '-D', 'main');
  await repo.sh('update-ref', 'refs/remotes/upstream/main', repo.first);
  expect((await readFacts(place, repo.env)).defaultBranch).toBe('main');
});

test('a name that git would guess is none; without a name or an address nobody is known to commit; variables will do', async () => {
  const nobody = { ...repo.env, GIT_CONFIG_GLOBAL: '/dev/null' };
  expect((await readFacts(place, nobody)).hasIdentity).toBe(false);
  const halfKnown = await repository();
  await halfKnown.write('../home/gitconfig', '[user]\n\temail = test@example.invalid\n');
  expect((await readFacts({ ...place, root: halfKnown.tree.dir }, halfKnown.env)).hasIdentity).toBe(false);
  await halfKnown.cleanup();
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.invalid' };
  expect((await readFacts(place, { ...nobody, ...author })).hasIdentity).toBe(false);
  expect(
    (
      await readFacts(place, {
        ...nobody,
        ...author,
        GIT_COMMITTER_NAME: 'A',
        GIT_COMMITTER_EMAIL: 'a@example.invalid',
      })
    ).hasIdentity,
  ).toBe(true);
});

test('ignored paths are reported, tracked ones are none (R-START-6)', async () => {
  await repo.write('tracked.log', 'x\n');
  await repo.sh('add', '--force', 'tracked.log');
  expect(
    await ignoredPaths(place, repo.env, ['README.md', 'a.log', ':(x).log', 'tracked.log', 'build/x', 'none.txt']),
  ).toEqual(['a.log', ':(x).log', 'build/x']);
  expect(await ignoredPaths(place, repo.env, [])).toEqual([]);
});

test('patterns are added to the private ignore list once, and what is in it stays (R-FILE-8)', async () => {
  await repo.write('.git/info/exclude', '# mine\r\n*.tmp');
  expect(await excludeOnce(place.commonDir, ['.specloop/', '*.tmp', '.specloop/'])).toEqual(['.specloop/']);
  expect(await excludeOnce(place.commonDir, ['.specloop/'])).toEqual([]);
  expect(await readFile(join(place.commonDir, 'info/exclude'), 'utf8')).toBe('# mine\r\n*.tmp\n.specloop/\n');
  await repo.write('.specloop/x', 'x\n');
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
});

test('an ignore list that is a link to another file stays one, and keeps its mode (R-FILE-8)', async () => {
  const shared = join(repo.beside, 'shared-exclude');
  await writeFile(shared, 'x\n', { mode: 0o600 });
  await repo.remove('.git/info/exclude');
  await symlink(shared, join(place.commonDir, 'info/exclude'));
  await excludeOnce(place.commonDir, ['a']);
  expect(await readlink(join(place.commonDir, 'info/exclude'))).toBe(shared);
  expect(await readFile(shared, 'utf8')).toBe('x\na\n');
  expect((await stat(shared)).mode & 0o777).toBe(0o600);
});

test('a repository without an ignore list gets one (R-FILE-8)', async () => {
  await repo.remove('.git/info');
  expect(await excludeOnce(place.commonDir, ['a', 'b'])).toEqual(['a', 'b']);
  expect(await readFile(join(place.commonDir, 'info/exclude'), 'utf8')).toBe('a\nb\n');
});
