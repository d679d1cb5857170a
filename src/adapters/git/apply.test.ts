import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Repository, repository } from './test-rig.ts';

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

/** Commits the tree on a branch `theirs` and goes back. */
async function theirs(): Promise<string> {
  await repo.sh('switch', '--quiet', '--create', 'theirs');
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'theirs');
  const commit = await repo.sh('rev-parse', 'HEAD');
  await repo.sh('switch', '--quiet', 'feat/demo');
  return commit;
}

test('a merge is applied as what it changed against its first parent (R-PAR-3)', async () => {
  await repo.write('side.txt', 'side\n');
  await theirs();
  await repo.sh('switch', '--quiet', '--create', 'merged');
  await repo.sh('merge', '--quiet', '--no-ff', '--message', 'merge', 'theirs');
  const merge = await repo.sh('rev-parse', 'HEAD');
  await repo.sh('switch', '--quiet', 'feat/demo');
  expect(await repo.git.apply(repo.tree, merge)).toEqual({ how: 'applied' });
  expect(await repo.read('side.txt')).toBe('side\n');
});

test('a change follows a file that was renamed in the meantime', async () => {
  await repo.write('src/a.ts', 'one\ntwo\nthree\nfour\nfive\n');
  await repo.sh('commit', '--quiet', '--all', '--message', 'longer');
  await repo.write('src/a.ts', 'one\ntwo\nthree\nfour\nFIVE\n');
  const commit = await theirs();
  await repo.sh('mv', 'src/a.ts', 'src/b.ts');
  await repo.sh('commit', '--quiet', '--message', 'renamed');
  expect(await repo.git.apply(repo.tree, commit)).toEqual({ how: 'applied' });
  expect(await repo.read('src/b.ts')).toContain('FIVE');
});

test('a file removed here and changed there is a conflict, and leaves nothing behind (R-PAR-3)', async () => {
  await repo.write('src/a.ts', 'changed\n');
  await repo.write('new/file.txt', 'x\n');
  const commit = await theirs();
  await repo.sh('rm', '--quiet', 'src/a.ts');
  await repo.sh('commit', '--quiet', '--message', 'removed');
  const before = await repo.git.inspect(repo.tree);
  expect(await repo.git.apply(repo.tree, commit)).toEqual({ how: 'conflict', paths: ['src/a.ts'] });
  expect(await repo.git.inspect(repo.tree)).toEqual(before);
  expect(await repo.read('new/file.txt')).toBeUndefined();
  const left = (await readdir(join(repo.tree.dir, '.git'))).filter((name) => /specloop|MERGE|CHERRY/.test(name));
  expect(left).toEqual([]);
});

test('what is there already is applied without a change; a commit that does not exist is a fault', async () => {
  await repo.write('a.txt', 'x\n');
  const commit = await theirs();
  await repo.sh('merge', '--quiet', 'theirs');
  expect(await repo.git.apply(repo.tree, commit)).toEqual({ how: 'applied' });
  expect((await repo.git.inspect(repo.tree)).changes).toEqual([]);
  await expect(repo.git.apply(repo.tree, '0123456789'.repeat(4))).rejects.toThrow(/bad object|git cherry-pick failed/);
});
