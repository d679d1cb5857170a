import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Git } from '../../src/ports/git.ts';
import { filesBelow, RUN, type WorkspaceRig, workspaceRig } from './rig.ts';

let rig: WorkspaceRig;
beforeEach(async () => {
  rig = await workspaceRig();
});
afterEach(() => rig.cleanup());

const signal = new AbortController().signal;

test('eight worktrees are opened at the same time, each on its own branch at the base (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const names = Array.from({ length: 8 }, (_, n) => `1.${n}`);
  const opened = await Promise.all(names.map((name) => rig.open(workspaces, name)));
  expect(new Set(opened.map(({ tree }) => tree.dir)).size).toBe(8);
  expect(new Set(opened.map(({ branch }) => branch)).size).toBe(8);
  for (const { tree, branch, specDir, files } of opened) {
    expect(await rig.repo.git.inspect(tree)).toMatchObject({ head: rig.base, branch, changes: [] });
    expect(specDir).toBe(join(tree.dir, 'specs/demo'));
    expect(await files.read('tasks.md')).toBe('- [ ] 1.1 Do it\n');
  }
  await Promise.all(names.map((name) => workspaces.close(name)));
  expect(await rig.listed()).toEqual([]);
  await workspaces.prune();
  expect(await rig.repo.sh('branch', '--list', 'specloop-batch/*')).toBe('');
  expect(await filesBelow(join(rig.cacheDir, 'specloop/worktrees'))).toEqual([]);
});

test('worktrees lie in the cache folder, for the user alone, in a folder that is called as the repository (R-SEC-2)', async () => {
  const { tree } = await rig.open(rig.workspaces(), '1.1');
  expect(tree.dir).toMatch(new RegExp(`^${rig.cacheDir}/specloop/worktrees/[0-9a-f]+/${RUN}/1\\.1\\.\\w{6}/repo$`));
  for (let dir = join(tree.dir, '..'); dir !== rig.repo.beside; dir = join(dir, '..'))
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
});

test('opening what is open is the same worktree with the work in it, also when both come at once (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const [first, second] = await Promise.all([rig.open(workspaces, '1.1'), rig.open(workspaces, '1.1')]);
  expect(second.tree).toEqual(first.tree);
  await first.write('work.txt', 'mine\n');
  expect(await (await rig.open(workspaces, '1.1', rig.repo.first)).read('work.txt')).toBe('mine\n');
});

test('what a killed coordinator left is found by its name, by the same run and no other (R-PAR-5)', async () => {
  const before = await rig.open(rig.workspaces(), '1.1');
  await before.write('work.txt', 'mine\n');
  expect((await rig.workspaces().find('1.1'))?.tree).toEqual(before.tree);
  expect(await rig.workspaces().find('1')).toBeUndefined();
  expect(await rig.workspaces({ run: '20261128T000000Z-000000' }).find('1.1')).toBeUndefined();
});

test('names that only look alike have worktrees of their own', async () => {
  const names = ['1.1', '1-1', '1_1', '1/1', '..', '.', '', 'ü', 'x'.repeat(300), `${'x'.repeat(299)}y`, '1.lock'];
  const workspaces = rig.workspaces();
  const opened = [];
  for (const name of names) opened.push(await rig.open(workspaces, name));
  expect(new Set(opened.map(({ tree }) => tree.dir)).size).toBe(names.length);
  for (const [n, name] of names.entries()) expect((await workspaces.find(name))?.tree).toEqual(opened[n]?.tree);
  for (const work of opened) await work.write('work.txt', work.tree.dir);
  expect(await workspaces.prune()).toHaveLength(names.length);
});

test('a worktree that a crash left half made is made anew (R-PAR-3)', async () => {
  const crash = new Error('killed');
  const dying: Git = {
    ...rig.repo.git,
    addWorktree: async (dir, order) => {
      await rig.repo.git.addWorktree(dir, order);
      throw crash;
    },
    removeWorktree: async () => {
      throw crash;
    },
  };
  await expect(rig.open(rig.workspaces({ git: dying }), '1.1')).rejects.toBe(crash);
  const [half = ''] = await rig.listed();
  await writeFile(join(half, 'half.txt'), '');
  const workspaces = rig.workspaces();
  expect(await workspaces.find('1.1')).toBeUndefined();
  const anew = await rig.open(workspaces, '1.1');
  expect(await anew.read('half.txt')).toBeUndefined();
  expect(await rig.listed()).toEqual([anew.tree.dir]);
});

test('a failure while a worktree is made leaves nothing behind', async () => {
  await expect(rig.open(rig.workspaces(), '1.1', '0123456789012345678901234567890123456789')).rejects.toThrow(
    /git worktree failed/,
  );
  expect(await filesBelow(join(rig.cacheDir, 'specloop/worktrees'))).toEqual([]);
});

test('a worktree whose folder somebody removed is no worktree, and is made anew (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const { tree } = await rig.open(workspaces, '1.1');
  await rm(tree.dir, { recursive: true });
  expect(await workspaces.find('1.1')).toBeUndefined();
  expect((await rig.open(workspaces, '1.1')).tree).not.toEqual(tree);
  await workspaces.close('1.1');
  await workspaces.close('1.1');
  expect(await rig.listed()).toEqual([]);
});

test('a full disk is reported before anything is made', async () => {
  const workspaces = rig.workspaces({ freeBytesAt: async () => 199 * 1024 * 1024 + 5 });
  const opened = await workspaces.open({ name: '1.1', base: rig.base, signal });
  expect(opened).toEqual({ problem: expect.stringMatching(/^Only 199 MiB are free in .+, and a worktree needs 200/) });
  expect(await rig.listed()).toEqual([]);
  await rig.open(rig.workspaces({ freeBytesAt: async () => 200 * 1024 * 1024 }), '1.1');
});

test('a cache folder inside the repository is refused: worktrees in it would be changes of the user', async () => {
  const workspaces = rig.workspaces({ cacheDir: join(rig.repo.tree.dir, 'cache') });
  expect(await workspaces.open({ name: '1.1', base: rig.base, signal })).toEqual({
    problem: expect.stringContaining('XDG_CACHE_HOME'),
  });
  expect(await readdir(rig.repo.tree.dir)).not.toContain('cache');
});

test('a folder that cannot be made is a fault of the disk, with what to do', async () => {
  await mkdir(rig.cacheDir);
  await writeFile(join(rig.cacheDir, 'specloop'), '');
  await expect(rig.open(rig.workspaces(), '1.1')).rejects.toMatchObject({
    name: 'StorageFault',
    message: expect.stringMatching(/^Cannot create, find or remove a worktree in .+\. Check the disk/),
  });
});

test('a run that is being stopped opens nothing (R-UX-3)', async () => {
  const opened = await rig.workspaces().open({ name: '1.1', base: rig.base, signal: AbortSignal.abort() });
  expect(opened).toEqual({ problem: expect.stringContaining('is stopping') });
  expect(await rig.listed()).toEqual([]);
});

test('a spec folder that is a link in the commit is refused: work would leave the worktree (R-SEC-1)', async () => {
  const { repo } = rig;
  await repo.remove('specs/demo');
  await symlink(repo.beside, join(repo.tree.dir, 'specs/demo'));
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'link');
  const opened = await rig.workspaces().open({ name: '1.1', base: await repo.sh('rev-parse', 'HEAD'), signal });
  expect(opened).toEqual({ problem: expect.stringContaining('specs/demo is not a folder in commit') });
});

test('a commit that an agent made in it is kept when it goes, also where its work is recorded (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const { sh } = await rig.open(workspaces, '1.1');
  await sh('commit', '--quiet', '--allow-empty', '--message', 'by the agent');
  const commit = await sh('rev-parse', 'HEAD');
  await rig.open(workspaces, '1.2');
  await workspaces.close('1.1');
  await workspaces.close('1.2');
  const kept = await rig.repo.sh('for-each-ref', '--format=%(objectname) %(refname)', 'refs/specloop/');
  expect(kept).toBe(`${commit} refs/specloop/kept/demo/${RUN}/1.1/commits`);
});
