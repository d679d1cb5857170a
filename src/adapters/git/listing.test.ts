import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GitListing } from '../../ports/git.ts';
import { gitListing } from './listing.ts';
import { type Repository, repository, rigOf } from './test-rig.ts';

let repo: Repository;
const BESIDE = 'refs/heads/own/*';

let listing: GitListing;
beforeEach(async () => {
  repo = await repository();
  listing = gitListing({ root: repo.tree.dir, env: repo.env });
});
afterEach(() => repo.cleanup());

test('worktrees below a folder are listed with their detached commit, also when they are gone (R-PAR-3)', async () => {
  const [detached, gone, onBranch] = ['a/detached', 'a/gone', 'a/on-branch'].map((name) => join(repo.beside, name));
  for (const dir of [`${detached}`, `${gone}`, join(repo.beside, 'ab')])
    await repo.sh('worktree', 'add', '--quiet', '--detach', dir);
  await repo.sh('worktree', 'add', '--quiet', '-b', 'agents-own', `${onBranch}`);
  await rm(`${gone}`, { recursive: true });
  const found = await listing.worktreesBelow(join(repo.beside, 'a'));
  expect([...found].sort((a, b) => (a.dir < b.dir ? -1 : 1))).toEqual([
    { dir: detached, detachedAt: repo.first },
    { dir: gone, detachedAt: repo.first },
    { dir: onBranch, detachedAt: undefined },
  ]);
  await rename(join(repo.beside, 'a'), join(repo.beside, 'moved'));
  expect(await listing.worktreesBelow(join(repo.beside, 'a'))).toHaveLength(3);
});

test('a commit is reachable by a branch or any other ref, not by a worktree or its branch (R-PAR-3)', async () => {
  const dir = join(repo.beside, 'w');
  await repo.git.addWorktree(dir, { branch: 'own/deep/4', commit: repo.first });
  const there = rigOf({ dir, env: repo.env });
  await there.sh('commit', '--quiet', '--allow-empty', '--message', 'alone');
  const alone = await there.sh('rev-parse', 'HEAD');
  expect(await listing.isReachable(repo.first, BESIDE)).toBe(true);
  expect(await listing.isReachable(alone, BESIDE)).toBe(false);
  await repo.git.setRef('refs/specloop/kept/demo/one', alone);
  expect(await listing.isReachable(alone, BESIDE)).toBe(true);
  await expect(listing.isReachable('--all', BESIDE)).rejects.toThrow(/is not a commit/);
});

test('the commit on which the user stands without a branch is reachable', async () => {
  await repo.sh('switch', '--quiet', '--detach');
  await repo.sh('commit', '--quiet', '--allow-empty', '--message', 'detached');
  expect(await listing.isReachable(await repo.sh('rev-parse', 'HEAD'), BESIDE)).toBe(true);
});

test('files of a commit are listed by path, whatever is in it, with the id of their content', async () => {
  await repo.write('odd name\n\tü', 'a\n');
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'odd');
  const files = await listing.filesOf(await repo.sh('rev-parse', 'HEAD'));
  expect([...files.keys()].sort()).toEqual(['.gitignore', 'README.md', 'odd name\n\tü', 'src/a.ts']);
  expect(files.get('odd name\n\tü')).toBe(files.get('src/a.ts'));
  expect((await listing.filesOf(repo.first)).size).toBe(3);
});

test('a folder that is ignored as a whole is one path', async () => {
  await repo.write('build/deep/x.js', '');
  await repo.write('src/x.log', '');
  await repo.write('new.txt', '');
  expect([...(await listing.ignoredIn(repo.tree))].sort()).toEqual(['build/', 'src/x.log']);
});

test('lines as in an ignore list choose among the ignored files, and never others', async () => {
  await Promise.all(
    ['build/.env', 'build/deep/.env', 'build/other', 'src/x.log', '.env'].map((path) => repo.write(path, '')),
  );
  expect([...(await listing.ignoredMatching(repo.tree, ['.env', '*.log', '*.ts', '!deep/.env']))].sort()).toEqual([
    'build/.env',
    'build/deep/.env',
    'src/x.log',
  ]);
  expect(await listing.ignoredMatching(repo.tree, ['/build/*', '!/build/deep/'])).toEqual([
    'build/.env',
    'build/other',
  ]);
  expect(await listing.ignoredMatching(repo.tree, [])).toEqual([]);
});

test('the branches below a prefix are listed, loose or packed (R-PAR-3)', async () => {
  const below = async () => [...(await listing.branchesBelow('refs/heads/own/'))];
  expect(await below()).toEqual([]);
  for (const name of ['own/a', 'own/b/c', 'owner']) await repo.sh('branch', name);
  const expected = ['refs/heads/own/a', 'refs/heads/own/b/c'].map((ref) => [ref, repo.first]);
  expect(await below()).toEqual(expected);
  await repo.sh('pack-refs', '--all');
  expect(await below()).toEqual(expected);
});
