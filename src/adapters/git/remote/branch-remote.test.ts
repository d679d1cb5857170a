import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Repository, repository } from '../test-rig.ts';
import { type BranchRemote, branchRemote } from './branch-remote.ts';

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

async function add(...names: readonly string[]): Promise<void> {
  for (const name of names) await repo.sh('remote', 'add', name, `https://forge.invalid/${name}.git`);
}

function found(env: NodeJS.ProcessEnv = {}): Promise<BranchRemote | undefined> {
  return branchRemote({ root: repo.tree.dir, env: { ...repo.env, ...env } }, 'feat/demo');
}

test('the remote of a branch is the one that git pushes it to (R-PR-7)', async () => {
  expect(await found()).toBeUndefined();
  await add('only');
  expect((await found())?.name).toBe('only');
  await add('second');
  expect(await found()).toBeUndefined();
  await add('origin');
  expect((await found())?.name).toBe('origin');
  await repo.sh('config', 'branch.feat/demo.remote', 'second');
  expect((await found())?.name).toBe('second');
  await repo.sh('config', 'remote.pushDefault', 'only');
  expect((await found())?.name).toBe('only');
  await repo.sh('config', 'branch.feat/demo.pushRemote', 'origin');
  expect(await found()).toEqual({
    name: 'origin',
    url: 'https://forge.invalid/origin.git',
    defaultBranch: undefined,
  });
});

test('a branch that follows one of this repository has no remote by that (R-PR-7)', async () => {
  await add('origin');
  await repo.sh('branch', '--quiet', '--set-upstream-to', 'main');
  expect((await found())?.name).toBe('origin');
});

test('settings of another branch do not count (R-PR-7)', async () => {
  await add('origin', 'second');
  await repo.sh('config', 'branch.feat/demo2.pushRemote', 'second');
  await repo.sh('config', 'branch.FEAT/demo.pushRemote', 'second');
  expect((await found())?.name).toBe('origin');
});

test('an address in place of a name is no remote to follow, and no other one takes its place (R-PR-7)', async () => {
  await add('origin');
  await repo.sh('config', 'branch.feat/demo.pushRemote', 'https://forge.invalid/fork.git');
  expect(await found()).toBeUndefined();
});

test('the address is the one that pushes go to, without a password (R-PR-7)', async () => {
  await repo.sh('remote', 'add', 'origin', 'gh:owner/name.git');
  await repo.sh('config', 'url.https://me:secret@forge.invalid/.insteadOf', 'gh:');
  expect((await found())?.url).toBe('https://forge.invalid/owner/name.git');
  await repo.sh('config', 'url.git@forge.invalid:.pushInsteadOf', 'gh:');
  expect((await found())?.url).toBe('git@forge.invalid:owner/name.git');
  await repo.sh('config', 'remote.origin.pushurl', 'ssh://git@forge.invalid/fork/name.git');
  expect((await found())?.url).toBe('ssh://git@forge.invalid/fork/name.git');
});

test('settings from the environment count as they do for a push (R-PR-7)', async () => {
  await add('origin', 'second');
  const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'remote.pushDefault', GIT_CONFIG_VALUE_0: 'second' };
  expect((await found(env))?.name).toBe('second');
});

test('the default branch is known where the repository noted it (R-PR-1)', async () => {
  await add('origin');
  await repo.sh('update-ref', 'refs/remotes/origin/release/1', repo.first);
  await repo.sh('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/1');
  expect((await found())?.defaultBranch).toBe('release/1');
});
