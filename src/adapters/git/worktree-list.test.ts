import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addWorktreeOn, forgetWorktree, hasLinkedWorktrees, isVacant, listWorktrees } from './worktree-list.ts';

let root: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'worktree-list-')));
  env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  mkdirSync(place().root);
  git('init', '--quiet', '--initial-branch', 'main');
  git('-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '--quiet', '--allow-empty', '-m', 'begin');
});
afterEach(() => rmSync(root, { recursive: true }));

function place() {
  const dir = join(root, 'repository');
  return { root: dir, commonDir: join(dir, '.git'), gitDir: join(dir, '.git') };
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: place().root, env, encoding: 'utf8' });
}

const list = async () => await listWorktrees(place(), env);

test('a repository of one tree has its main worktree alone', async () => {
  expect(hasLinkedWorktrees(place().commonDir)).toBe(false);
  expect(await list()).toEqual([{ dir: place().root, branch: 'main', isMain: true, folder: 'whole' }]);
});

test('worktrees are listed with branch, lock and what became of their folder, whatever they are called', async () => {
  const [on, detached, gone] = ['on a branch\n', 'detached', 'gone'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  git('worktree', 'add', '--quiet', '-b', 'feat/a', on);
  git('worktree', 'add', '--quiet', '--detach', detached);
  git('worktree', 'lock', '--reason', 'on a stick', detached);
  git('worktree', 'add', '--quiet', '-b', 'feat/b', gone);
  rmSync(gone, { recursive: true });
  rmSync(join(detached, '.git'));
  writeFileSync(join(detached, 'mine'), '');
  expect(hasLinkedWorktrees(place().commonDir)).toBe(true);
  expect((await list()).slice(1).sort((a, b) => (a.dir < b.dir ? -1 : 1))).toEqual([
    { dir: detached, branch: undefined, isMain: false, folder: 'damaged', locked: 'on a stick' },
    { dir: gone, branch: 'feat/b', isMain: false, folder: 'gone' },
    { dir: on, branch: 'feat/a', isMain: false, folder: 'whole' },
  ]);
});

test('a worktree is added on a branch that is there, and on one that is made', async () => {
  const at = git('rev-parse', 'HEAD').trim();
  git('branch', 'old');
  await addWorktreeOn(place().root, env, { dir: join(root, 'a'), branch: 'old' });
  await addWorktreeOn(place().root, env, { dir: join(root, 'b'), branch: 'feat/new', at });
  expect((await list()).map(({ branch }) => branch)).toEqual(['main', 'old', 'feat/new']);
  await expect(addWorktreeOn(place().root, env, { dir: join(root, 'c'), branch: 'old', at })).rejects.toThrow('old');
});

test('only a worktree whose folder is gone is forgotten, and no other by the way', async () => {
  const dirs = ['there', 'gone', 'also-gone'].map((name) => join(root, name));
  const [there = '', gone = '', other = ''] = dirs;
  for (const dir of dirs) git('worktree', 'add', '--quiet', '--detach', dir);
  writeFileSync(join(there, 'work'), '');
  for (const dir of [gone, other]) rmSync(dir, { recursive: true });
  mkdirSync(gone);
  await forgetWorktree(place().root, env, gone);
  await expect(forgetWorktree(place().root, env, there)).rejects.toThrow();
  expect(
    (await list())
      .slice(1)
      .map(({ dir }) => dir)
      .sort(),
  ).toEqual([other, there]);
});

test('a path is vacant when nothing is there, or an empty folder', () => {
  mkdirSync(join(root, 'empty'));
  expect([join(root, 'nothing'), join(root, 'empty'), root].map(isVacant)).toEqual([true, true, false]);
});
