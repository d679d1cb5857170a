import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Applied, Tree, Work } from '../../ports/git.ts';
import { type Repository, type Rig, repository, rigOf } from './test-rig.ts';

let repo: Repository;
let other: Rig & { readonly tree: Tree };
beforeEach(async () => {
  repo = await repository();
  const tree = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: repo.first });
  other = { ...rigOf({ dir: tree.dir, env: repo.env }), tree };
});
afterEach(() => repo.cleanup());

async function look(): Promise<Work> {
  const work = await repo.git.workSince(other.tree, { base: repo.first, exclude: [] });
  if (work === undefined) throw new Error('there is no work');
  return work;
}

async function bring(work?: Work): Promise<Applied> {
  const { commit, paths } = work ?? (await look());
  return repo.git.apply(repo.tree, commit, paths);
}

async function commitHere(): Promise<void> {
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'ours');
}

test('all changes come along: new, changed and removed files, links, and what can be run (R-PAR-3)', async () => {
  await other.write('src/a.ts', 'changed\n');
  await other.write('deep/er/new.sh', 'x\n');
  await chmod(join(other.tree.dir, 'deep/er/new.sh'), 0o700);
  await other.write('private.txt', 'x\n');
  await chmod(join(other.tree.dir, 'private.txt'), 0o600);
  await symlink('../nowhere', join(other.tree.dir, 'link'));
  await other.remove('README.md');
  await repo.write('ours.txt', 'ours\n');
  await commitHere();
  const work = await look();
  expect(await bring(work)).toMatchObject({ how: 'applied' });
  const at = (path: string) => join(repo.tree.dir, path);
  expect(await repo.read('src/a.ts')).toBe('changed\n');
  expect(await repo.read('README.md')).toBeUndefined();
  expect(readlinkSync(at('link'))).toBe('../nowhere');
  // As git would make them: the umask decides, not what the agent set.
  expect(statSync(at('deep/er/new.sh')).mode & 0o111).not.toBe(0);
  expect(statSync(at('private.txt')).mode & 0o777).toBe(0o666 & ~process.umask());
});

test('a removed file takes its empty folder along, and a link is not written through', async () => {
  await repo.write('folder/only.txt', 'x\n');
  await commitHere();
  await repo.git.removeWorktree(other.tree.dir);
  const base = await repo.sh('rev-parse', 'HEAD');
  const tree = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: base });
  await other.remove('folder/only.txt');
  await other.remove('src/a.ts');
  await symlink('../README.md', join(tree.dir, 'src/a.ts'));
  const work = await repo.git.workSince(tree, { base, exclude: [] });
  expect(await bring(work)).toMatchObject({ how: 'applied' });
  expect(existsSync(join(repo.tree.dir, 'folder'))).toBe(false);
  expect(lstatSync(join(repo.tree.dir, 'src/a.ts')).isSymbolicLink()).toBe(true);
  expect(await repo.read('README.md')).toBe('hello\n');
});

test('a file that a neighbour changed is merged (R-PAR-3)', async () => {
  const text = 'one\ntwo\nthree\nfour\nfive\n';
  await repo.write('src/a.ts', text);
  await commitHere();
  await repo.git.removeWorktree(other.tree.dir);
  const base = await repo.sh('rev-parse', 'HEAD');
  const tree = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: base });
  await other.write('src/a.ts', text.replace('five', 'theirs'));
  await repo.write('src/a.ts', text.replace('one', 'ours'));
  await commitHere();
  const work = await repo.git.workSince(tree, { base, exclude: [] });
  expect(await bring(work)).toMatchObject({ how: 'applied' });
  expect(await repo.read('src/a.ts')).toBe('ours\ntwo\nthree\nfour\ntheirs\n');
});

test.each(['new.txt', 'src/a.ts'])(
  '%s, which a neighbour made or changed otherwise, is a conflict (R-PAR-3)',
  async (path) => {
    await other.write(path, 'theirs\n');
    const work = await look();
    await repo.write(path, 'ours\n');
    await commitHere();
    expect(await bring(work)).toEqual({ how: 'conflict', paths: [path] });
    expect(await repo.read(path)).toBe('ours\n');
  },
);

test('a file that a neighbour removed is a conflict (R-PAR-3)', async () => {
  await other.write('src/a.ts', 'theirs\n');
  await repo.remove('src/a.ts');
  await commitHere();
  expect(await bring()).toEqual({ how: 'conflict', paths: ['src/a.ts'] });
  expect(await repo.read('src/a.ts')).toBeUndefined();
});

test('a file that the tree ignores is not written over (R-START-2)', async () => {
  await other.write('mine.local', 'theirs\n');
  await repo.write('.git/info/exclude', 'elsewhere\n');
  const work = await look();
  await repo.write('mine.local', 'mine\n');
  await repo.write('.git/info/exclude', '*.local\n');
  expect(await bring(work)).toEqual({ how: 'conflict', paths: ['mine.local'] });
  expect(await repo.read('mine.local')).toBe('mine\n');
});

test("a link to the user's ignored folder does not take its place (R-PAR-3)", async () => {
  await repo.write('.git/info/exclude', 'data/\n');
  await repo.write('data/deep/measured.csv', 'mine\n');
  await symlink(join(repo.tree.dir, 'data'), join(other.tree.dir, 'data'));
  expect(await bring()).toEqual({ how: 'conflict', paths: ['data/'] });
  expect(await repo.read('data/deep/measured.csv')).toBe('mine\n');
});

test('a folder does not take the place of a file that the tree ignores (R-PAR-3)', async () => {
  await other.write('mine.local/deep/new.txt', 'theirs\n');
  const work = await look();
  await repo.write('mine.local', 'mine\n');
  await repo.write('.git/info/exclude', '*.local\n');
  expect(await bring(work)).toEqual({ how: 'conflict', paths: ['mine.local'] });
  expect(await repo.read('mine.local')).toBe('mine\n');
});

test("a change that git was asked to overlook is not written over either: it is the user's (R-START-2)", async () => {
  await other.write('src/a.ts', 'theirs\n');
  const work = await look();
  for (const [flag, back] of [
    ['--assume-unchanged', '--no-assume-unchanged'],
    ['--skip-worktree', '--no-skip-worktree'],
  ] as const) {
    await repo.sh('update-index', flag, 'src/a.ts');
    await repo.write('src/a.ts', 'mine alone\n');
    expect(await bring(work)).toEqual({ how: 'conflict', paths: expect.anything() });
    expect(await repo.read('src/a.ts')).toBe('mine alone\n');
    await repo.sh('update-index', back, 'src/a.ts');
    await repo.write('src/a.ts', 'a\n');
  }
});

test('what was staged or committed comes along: the index may say more than the files', async () => {
  await other.write('forced.log', 'x\n');
  await other.sh('add', '--force', 'forced.log');
  expect(await bring()).toMatchObject({ how: 'applied' });
  expect(await repo.read('forced.log')).toBe('x\n');
  expect(await repo.sh('diff', '--cached', '--name-only')).toBe('forced.log');
  await repo.sh('reset', '--quiet', '--hard');
  await other.sh('commit', '--quiet', '--message', 'by the agent');
  expect(await bring()).toMatchObject({ how: 'applied' });
});

test('in a sparse tree, what is not there may be committed all the same', async () => {
  await repo.write('far/a.txt', 'ours\n');
  await commitHere();
  await repo.sh('sparse-checkout', 'set', 'src');
  expect(await repo.read('far/a.txt')).toBeUndefined();
  await other.write('far/a.txt', 'theirs\n');
  expect(await bring()).toEqual({ how: 'conflict', paths: ['far/a.txt'] });
});

test('what the user changed in the meantime is not written over (R-START-2)', async () => {
  await other.write('src/a.ts', 'theirs\n');
  await other.remove('README.md');
  const work = await look();
  for (const path of ['src/a.ts', 'README.md']) {
    await repo.write(path, 'mine\n');
    expect(await bring(work)).toEqual({ how: 'conflict', paths: [path] });
    expect(await repo.read(path)).toBe('mine\n');
    await repo.sh('checkout', '--quiet', '--', path);
  }
});

test("what the rules of the user's tree alone ignore comes along, and into the commit (R-PAR-3)", async () => {
  await repo.sh('config', 'core.excludesFile', '.rules');
  await other.write('new.gen', 'theirs\n');
  const work = await look();
  await repo.write('.rules', '*.gen\n.rules\n');
  expect(await bring(work)).toMatchObject({ how: 'applied' });
  const order = { message: 'm', trailers: {}, keepsStaged: true, paths: ['new.gen'] };
  expect(await repo.git.commit(repo.tree, order)).toMatchObject({ how: 'committed' });
  expect(await repo.sh('show', 'HEAD:new.gen')).toBe('theirs');
});

test('nothing comes into a submodule that a neighbour recorded', async () => {
  await other.write('vendor/x.txt', 'theirs\n');
  const work = await look();
  await repo.write('vendor/own.txt', 'own\n');
  await repo.sh('-C', 'vendor', 'init', '--quiet');
  await repo.sh('-C', 'vendor', 'add', '--all');
  await repo.sh('-C', 'vendor', 'commit', '--quiet', '--message', 'own');
  await commitHere();
  expect(await bring(work).catch(() => 'a fault')).toEqual({ how: 'conflict', paths: expect.anything() });
  expect(await repo.read('vendor/x.txt')).toBeUndefined();
});

test('what the user staged and then removed is still his (R-START-2)', async () => {
  await other.write('new.txt', 'theirs\n');
  const work = await look();
  await repo.write('new.txt', 'mine\n');
  await repo.sh('add', 'new.txt');
  await repo.remove('new.txt');
  expect(await bring(work)).toEqual({ how: 'conflict', paths: ['new.txt'] });
  expect(await repo.sh('show', ':new.txt')).toBe('mine');
});

test('a folder where a neighbour made a file is a conflict, and the file stays (R-PAR-3)', async () => {
  await other.write('place/new.txt', 'theirs\n');
  const work = await look();
  await repo.write('place', 'ours\n');
  await commitHere();
  expect(await bring(work)).toMatchObject({ how: 'conflict' });
  expect(await repo.read('place')).toBe('ours\n');
});
