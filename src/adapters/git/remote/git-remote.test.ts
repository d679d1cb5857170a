import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GitFault } from '../../../ports/git.ts';
import type { Remote } from '../../../ports/remote.ts';
import { type Repository, repository, rigOf } from '../test-rig.ts';
import { gitRemote } from './git-remote.ts';

const BRANCH = 'feat/demo';

let repo: Repository;
let bare: string;
let remote: Remote;
beforeEach(async () => {
  repo = await repository();
  bare = join(repo.beside, 'origin.git');
  await repo.sh('init', '--quiet', '--bare', bare);
  await repo.sh('remote', 'add', 'origin', bare);
  remote = gitRemote({ root: repo.tree.dir, env: repo.env, name: 'origin' });
});
afterEach(() => repo.cleanup());

/** Somebody else commits files on a branch there. */
async function theirs(
  files: Readonly<Record<string, string>>,
  ...after: readonly (readonly string[])[]
): Promise<string> {
  const dir = join(repo.beside, 'person');
  if (!existsSync(dir)) await repo.sh('clone', '--quiet', '--branch', BRANCH, bare, dir);
  const person = rigOf({ dir, env: repo.env });
  for (const [path, text] of Object.entries(files)) await person.write(path, text);
  await person.sh('add', '--all', '--force');
  await person.sh('commit', '--quiet', '--allow-empty', '--message', 'theirs');
  for (const args of after) await person.sh(...args);
  await person.sh('push', '--quiet', 'origin', '--all');
  await person.sh('push', '--quiet', 'origin', '--tags');
  return person.sh('rev-parse', 'HEAD');
}

const refs = async (): Promise<readonly string[]> => (await repo.sh('for-each-ref', '--format=%(refname)')).split('\n');

test('the branch alone is fetched: no tags, no other branches, and what git noted stays (R-PR-11)', async () => {
  await remote.push(BRANCH, repo.first);
  await repo.sh('config', 'fetch.prune', 'true');
  await repo.sh('config', '--add', 'remote.origin.fetch', '+refs/heads/*:refs/mirror/*');
  await repo.sh('config', 'remote.origin.tagOpt', '--tags');
  await repo.sh('update-ref', 'refs/remotes/origin/gone', repo.first);
  const before = await refs();
  const newest = await theirs({ 'x.txt': 'x\n' }, ['tag', 'v1'], ['branch', 'other']);
  expect(await remote.fetch(BRANCH)).toBe(newest);
  expect(await refs()).toEqual(before);
  expect(existsSync(join(repo.tree.dir, '.git/FETCH_HEAD'))).toBe(false);
});

test('no hook runs where something is fetched or taken in (R-SEC-1)', async () => {
  await remote.push(BRANCH, repo.first);
  const newest = await theirs({ 'x.txt': 'x\n' });
  for (const name of ['reference-transaction', 'post-merge', 'post-index-change', 'pre-merge-commit'])
    await repo.hook(name, 'echo ran >>hooks.log; exit 1');
  expect(await remote.fetch(BRANCH)).toBe(newest);
  expect(await remote.advance(newest)).toEqual({ ok: true });
  await remote.merge(repo.first, newest, 'merge');
  expect(await repo.read('hooks.log')).toBeUndefined();
});

test('a remote that cannot be read is reported with what to do (R-PR-7)', async () => {
  await repo.sh('remote', 'set-url', 'origin', 'https://me:secret@localhost:1/o/n.git');
  const fault: unknown = await remote.fetch(BRANCH).catch((error: unknown) => error);
  expect(fault).toMatchObject({ name: 'RemoteFault', trouble: 'unreachable' });
  expect(String(fault)).toMatch(
    /^RemoteFault: The remote "origin" cannot be reached: .+[^.]\. To see it for yourself, run: git fetch origin\.$/,
  );
  expect(String(fault)).not.toContain('secret');
});

test('what is wrong on this machine is no fault of the remote', async () => {
  await remote.push(BRANCH, repo.first);
  await repo.sh('update-ref', '-d', `refs/remotes/origin/${BRANCH}`);
  await repo.sh('update-ref', 'refs/remotes/origin/feat', repo.first);
  await expect(remote.fetch(BRANCH)).rejects.toThrow(GitFault);
});

test('a folder of ignored files in the way of a file stays (R-PR-11)', async () => {
  await remote.push(BRANCH, repo.first);
  await theirs({ build: 'a file\n' });
  await repo.write('build/out.txt', 'mine\n');
  const newest = (await remote.fetch(BRANCH)) ?? '';
  expect(await remote.advance(newest)).toEqual({ ok: false, output: expect.stringContaining('build') });
  expect(await repo.read('build/out.txt')).toBe('mine\n');
});

test('a file that is staged in another form than in the tree is in the way, and stays in both (R-PR-11)', async () => {
  await remote.push(BRANCH, repo.first);
  await theirs({ 'README.md': 'theirs\n' });
  const newest = (await remote.fetch(BRANCH)) ?? '';
  await repo.sh('config', 'merge.autoStash', 'true');
  await repo.write('README.md', 'staged\n');
  await repo.sh('add', 'README.md');
  await repo.write('README.md', 'theirs\n');
  expect(await remote.advance(newest)).toMatchObject({ ok: false });
  expect([await repo.sh('show', ':README.md'), await repo.read('README.md')]).toEqual(['staged', 'theirs\n']);
});

test('an advance that git was killed in goes on where one file is written and another removed (R-PR-11)', async () => {
  await remote.push(BRANCH, repo.first);
  await theirs(
    { 'README.md': 'theirs\n', 'b.txt': 'b\n' },
    ['rm', '--quiet', 'src/a.ts'],
    ['commit', '--quiet', '--amend', '--no-edit'],
  );
  const newest = (await remote.fetch(BRANCH)) ?? '';
  await repo.remove('src/a.ts');
  await repo.write('b.txt', 'b\n');
  await repo.write('mine.txt', 'mine\n');
  expect(await remote.advance(newest)).toEqual({ ok: true });
  expect(await repo.sh('status', '--porcelain')).toBe('?? mine.txt');
});

test('a merge is made with the names of the user, unsigned, with two parents (R-PR-11)', async () => {
  await repo.sh('config', 'commit.gpgSign', 'true');
  await repo.sh('config', 'gpg.program', '/bin/false');
  await remote.push(BRANCH, repo.first);
  await theirs({ 'README.md': 'theirs\n' });
  const newest = (await remote.fetch(BRANCH)) ?? '';
  await repo.write('src/a.ts', 'ours\n');
  await repo.sh('commit', '--quiet', '--no-gpg-sign', '--all', '--message', 'ours');
  const ours = await repo.sh('rev-parse', 'HEAD');
  const { commit } = await remote.merge(ours, newest, 'subject\n\nbody');
  expect(await repo.sh('show', '--no-patch', '--format=%P|%an <%ae>|%B', commit)).toBe(
    `${ours} ${newest}|Test <test@example.invalid>|subject\n\nbody`,
  );
});

test('commits without a common one are not merged', async () => {
  const empty = await repo.sh('hash-object', '-t', 'tree', '-w', '/dev/null');
  const other = await repo.sh('commit-tree', '-m', 'other', empty);
  await expect(remote.merge(repo.first, other, 'x')).rejects.toThrow(/unrelated histories/);
});

test('what is no commit is never read as an option (R-SEC-1)', async () => {
  for (const call of [remote.push(BRANCH, '--force'), remote.advance('--hard'), remote.merge('-x', '-y', 'm')])
    await expect(call).rejects.toThrow('is not a commit');
});
