import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitListing } from '../../src/adapters/git/listing.ts';
import { taskMarkdown } from '../../src/core/plan/task-markdown.ts';
import { type Git, GitFault } from '../../src/ports/git.ts';
import { filesBelow, RUN, type WorkspaceRig, workspaceRig } from './rig.ts';

let rig: WorkspaceRig;
beforeEach(async () => {
  rig = await workspaceRig();
});
afterEach(() => rig.cleanup());

const refOf = (name: string, run = RUN) => `refs/specloop/kept/demo/${run}/${name}/pruned`;
const tidy = async () => {
  expect(await rig.listed()).toEqual([]);
  expect(await filesBelow(join(rig.cacheDir, 'specloop/worktrees'))).toEqual([]);
};

test('worktrees of all runs of the spec go, those of another spec and of the user stay (R-PAR-3)', async () => {
  const other = await rig.open(
    rig.workspaces({ spec: { name: 'demo', path: 'packages/demo', format: taskMarkdown } }),
    '1.1',
  );
  const users = join(rig.repo.beside, 'users');
  await rig.repo.sh('worktree', 'add', '--quiet', '--detach', users);
  await rig.open(rig.workspaces({ run: '20261126T000000Z-000000' }), '1.1');
  const workspaces = rig.workspaces();
  await rig.open(workspaces, '1.1');
  await rig.open(workspaces, '1.2');
  expect(await workspaces.prune()).toEqual([]);
  expect((await rig.listed()).toSorted()).toEqual([other.tree.dir, users].toSorted());
  expect(await workspaces.prune()).toEqual([]);
});

test('uncommitted work is kept under a ref, with the commits below it (R-RETRY-4)', async () => {
  const { write, sh } = await rig.open(rig.workspaces(), '1.1');
  await sh('commit', '--quiet', '--allow-empty', '--message', 'alone');
  const alone = await sh('rev-parse', 'HEAD');
  await write('new.txt', 'work\n');
  expect(await rig.workspaces().prune()).toEqual([refOf('1.1')]);
  expect(await rig.repo.sh('show', `${refOf('1.1')}:new.txt`)).toBe('work');
  expect(await rig.repo.sh('rev-parse', `${refOf('1.1')}^`)).toBe(alone);
  await tidy();
});

test('a commit that no ref reaches is kept, one that a ref reaches is not kept twice (R-RETRY-4)', async () => {
  const workspaces = rig.workspaces();
  const commits = [];
  for (const name of ['1.1', '1.2', '1.3']) {
    const { sh } = await rig.open(workspaces, name);
    await sh('commit', '--quiet', '--allow-empty', '--message', name);
    commits.push(await sh('rev-parse', 'HEAD'));
  }
  await rig.repo.git.setRef('refs/specloop/batch/demo/1.2', commits[1] ?? '');
  await rig.repo.sh('branch', 'of-somebody', `${commits[2]}`);
  expect(await workspaces.prune()).toEqual([refOf('1.1')]);
  expect(await rig.repo.git.readRef(refOf('1.1'))).toBe(commits[0]);
  await tidy();
});

test('commits of a worktree whose folder is gone are kept, and git forgets the worktree (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const { sh } = await rig.open(workspaces, '1.1');
  await sh('commit', '--quiet', '--allow-empty', '--message', 'alone');
  const alone = await sh('rev-parse', 'HEAD');
  await rig.open(workspaces, '1.2');
  await rm(rig.cacheDir, { recursive: true });
  expect(await workspaces.prune()).toEqual([refOf('1.1')]);
  expect(await rig.repo.git.readRef(refOf('1.1'))).toBe(alone);
  await tidy();
});

test('two crashes with work of one name lose neither (R-RETRY-4)', async () => {
  for (const text of ['first', 'second']) {
    await (await rig.open(rig.workspaces(), '1.1')).write('new.txt', text);
    await rig.workspaces().prune();
  }
  expect(await rig.repo.sh('show', `${refOf('1.1')}:new.txt`)).toBe('first');
  expect(await rig.repo.sh('show', `${refOf('1.1')}-2:new.txt`)).toBe('second');
});

test('a removal that a crash cut off is ended, and the missing files are not taken for work (R-PAR-3)', async () => {
  const crash = new Error('killed');
  const dying: Git = {
    ...rig.repo.git,
    removeWorktree: async (dir) => {
      await rm(join(dir, 'src'), { recursive: true });
      throw crash;
    },
  };
  const workspaces = rig.workspaces({ git: dying });
  await rig.open(workspaces, '1.1');
  await expect(workspaces.close('1.1')).rejects.toBe(crash);
  expect(await rig.workspaces().find('1.1')).toBeUndefined();
  expect(await rig.workspaces().prune()).toEqual([]);
  await tidy();
});

test('of a worktree that git cannot read any more the files are kept under a ref (R-RETRY-4)', async () => {
  const damaged = await rig.open(rig.workspaces(), '1.1');
  await rig.open(rig.workspaces(), '1.2');
  await damaged.write('new.txt', 'work\n');
  await damaged.remove('.git');
  const ref = `refs/specloop/kept/demo/${RUN}/1.1/files`;
  expect(await rig.workspaces().prune()).toEqual([ref]);
  expect(await rig.repo.sh('show', `${ref}:new.txt`)).toBe('work');
  await tidy();
});

test('a full disk while work is kept removes nothing (R-UX-4)', async () => {
  const { write, read } = await rig.open(rig.workspaces(), '1.1');
  await write('new.txt', 'work\n');
  const full: Git = {
    ...rig.repo.git,
    snapshot: async () => {
      throw new GitFault('disk-full', 'The disk is full.');
    },
  };
  await expect(rig.workspaces({ git: full }).prune()).rejects.toThrow('The disk is full.');
  expect(await read('new.txt')).toBe('work\n');
});

test('with nothing to clear away no git process is started, also beside worktrees of the user', async () => {
  await rig.repo.sh('worktree', 'add', '--quiet', '--detach', join(rig.repo.beside, 'users'));
  const listing = gitListing({ root: rig.repo.tree.dir, env: { PATH: '/nowhere' } });
  expect(await rig.workspaces({ listing }).prune()).toEqual([]);
  await expect(listing.isReachable(rig.base, 'refs/heads/x/*')).rejects.toThrow(/git was not found/);
});

test('a cache folder that is a link is worked in and cleared as any other', async () => {
  const real = join(rig.repo.beside, 'real');
  await mkdir(real);
  await symlink(real, rig.cacheDir);
  const { tree, write } = await rig.open(rig.workspaces(), '1.1');
  expect((await rig.workspaces().find('1.1'))?.tree).toEqual(tree);
  expect(tree.dir.startsWith(`${real}/`)).toBe(true);
  await write('new.txt', 'work\n');
  expect(await rig.workspaces().prune()).toEqual([refOf('1.1')]);
  await tidy();
  expect(await readdir(real)).toEqual(['specloop']);
});

test('a commit that an agent made on a detached HEAD is kept when its worktree goes (R-RETRY-4)', async () => {
  const workspaces = rig.workspaces();
  const work = await rig.open(workspaces, '1.1');
  await work.sh('switch', '--quiet', '--detach');
  await work.sh('commit', '--quiet', '--allow-empty', '--message', 'detached');
  const commit = await work.sh('rev-parse', 'HEAD');
  await workspaces.close('1.1');
  expect(await rig.repo.sh('rev-parse', `refs/specloop/kept/demo/${RUN}/1.1/commits`)).toBe(commit);
});

test("a branch of the user's is no branch of ours, whatever its name (R-PAR-3)", async () => {
  await rig.open(rig.workspaces(), '1.1');
  const theirs = ['specloop-batch/specs_2Fdemo/mine', `specloop-batch/specs_2Fdemo/${RUN}/mine`];
  for (const name of theirs) await rig.repo.sh('branch', name);
  await rig.workspaces().prune();
  expect((await rig.repo.sh('branch', '--format=%(refname:short)', '--list', 'specloop*')).split('\n')).toEqual(
    [...theirs].sort(),
  );
});

test('git forgets a worktree that an agent made inside of its own (R-PAR-3)', async () => {
  const { sh } = await rig.open(rig.workspaces(), '1.1');
  await sh('worktree', 'add', '--quiet', '--detach', 'inner');
  await sh('-C', 'inner', 'commit', '--quiet', '--allow-empty', '--message', 'inside');
  const commit = await sh('-C', 'inner', 'rev-parse', 'HEAD');
  expect(await rig.listed()).toHaveLength(2);
  await rig.workspaces().prune();
  await tidy();
  expect(await rig.repo.sh('for-each-ref', '--points-at', commit, '--format=%(refname)')).toMatch(/^refs\/specloop/);
});
