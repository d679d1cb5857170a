import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitCli } from './git-cli.ts';
import { type Repository, repository } from './test-rig.ts';

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

const listed = async (): Promise<number> => (await repo.sh('worktree', 'list')).split('\n').length;

test('many worktrees are added, used and removed at the same time (R-PAR-3)', async () => {
  const dirs = Array.from({ length: 6 }, (_, n) => join(repo.beside, `w${n}`));
  const commits = dirs.map(async (dir, n) => {
    const tree = await repo.git.addWorktree(dir, { branch: `own/${n}`, commit: repo.first });
    await writeFile(join(dir, `f${n}.txt`), 'x\n');
    return (await repo.git.commit(tree, { message: `m${n}`, trailers: {}, paths: 'everything', keepsStaged: false }))
      .how;
  });
  expect(await Promise.all(commits)).toEqual(dirs.map(() => 'committed'));
  await Promise.all(dirs.map((dir) => repo.git.removeWorktree(dir)));
  expect(await listed()).toBe(1);
});

test('a worktree that another git is just adding, met half written, is waited for (R-PAR-3)', async () => {
  await repo.write('.git/worktrees/other/gitdir', `${join(repo.beside, 'other')}/.git\n`);
  await repo.write('.git/worktrees/other/commondir', '');
  const commondir = join(repo.tree.dir, '.git/worktrees/other/commondir');
  const goesOnAfterFailure = `env PATH="\${PATH#*:}" git "$@" && exit 0\nprintf '../..\\n' > ${commondir}; exit 128`;
  await writeFile(join(repo.beside, 'git'), `#!/bin/sh\n${goesOnAfterFailure}\n`, { mode: 0o755 });
  const git = gitCli({ root: repo.tree.dir, env: { ...repo.env, PATH: `${repo.beside}:${repo.env.PATH}` } });
  const tree = await git.addWorktree(join(repo.beside, 'w'), { branch: 'own/2', commit: repo.first });
  expect(await repo.git.inspect(tree)).toMatchObject({ head: repo.first, changes: [] });
});

test('a worktree that a crash left half made is made anew (R-PAR-3)', async () => {
  const dir = join(repo.beside, 'w');
  await repo.git.addWorktree(dir, { branch: 'own/3', commit: repo.first });
  await repo.write('.git/worktrees/w/locked', 'initializing');
  await rm(join(dir, 'README.md'));
  const tree = await repo.git.addWorktree(dir, { branch: 'own/4', commit: repo.first });
  expect(await repo.git.inspect(tree)).toMatchObject({ head: repo.first, changes: [] });
});

test('a worktree whose folder is gone or damaged is removed, another that is away is not (R-PAR-3)', async () => {
  const [ours, away] = [join(repo.beside, 'ours'), join(repo.beside, 'away')];
  await repo.git.addWorktree(ours, { branch: 'own/5', commit: repo.first });
  await repo.sh('worktree', 'add', '--quiet', '--detach', away);
  await rename(away, `${away}-on-another-disk`);
  await rm(join(ours, '.git'));
  await repo.git.removeWorktree(ours);
  expect(await repo.sh('worktree', 'list')).toContain(away);
  await repo.git.addWorktree(ours, { branch: 'own/6', commit: repo.first });
  await rm(ours, { recursive: true });
  await repo.git.removeWorktree(ours);
  expect(await listed()).toBe(2);
});

test('the repository itself is never removed as a worktree', async () => {
  await expect(repo.git.removeWorktree(repo.tree.dir)).rejects.toThrow(/not removed/);
  await expect(repo.git.removeWorktree(join(repo.tree.dir, '..'))).rejects.toThrow(/not removed/);
  expect(await repo.read('README.md')).toBe('hello\n');
});
