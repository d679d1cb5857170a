import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Repository, repository } from './test-rig.ts';

let repo: Repository;
beforeEach(async () => {
  repo = await repository();
});
afterEach(() => repo.cleanup());

const order = () => ({ branch: 'feat/demo', commit: repo.first });

test('a sound repository is left as it is, with uncommitted changes, on another branch and detached (R-VER-3)', async () => {
  await repo.write('README.md', 'changed\n');
  await repo.sh('add', 'README.md');
  expect(await repo.git.mend(repo.tree, order())).toEqual([]);
  await repo.sh('switch', '--quiet', '--create', 'other');
  await repo.sh('pack-refs', '--all');
  expect(await repo.git.mend(repo.tree, order())).toEqual([]);
  await repo.sh('switch', '--quiet', '--detach');
  await repo.sh('config', 'index.skipHash', 'true');
  await repo.sh('update-index', '--force-write-index').catch(() => '');
  expect(await repo.git.mend(repo.tree, order())).toEqual([]);
  expect(await repo.sh('status', '--short')).toBe('M  README.md');
});

test.each([
  ['.git/HEAD', 'HEAD was damaged; it points to feat/demo again.'],
  ['.git/refs/heads/feat/demo', /^The branch feat\/demo was damaged; it is at [0-9a-f]{8} again\.$/],
  ['.git/index', "git's index was damaged; it was rebuilt from the last commit."],
])('a damaged %s is put right (R-VER-3)', async (path, said) => {
  await repo.write('README.md', 'changed\n');
  await repo.write(path, 'x\n');
  expect(await repo.git.mend(repo.tree, order())).toEqual([expect.stringMatching(said)]);
  expect(await repo.git.inspect(repo.tree)).toMatchObject({
    head: repo.first,
    branch: 'feat/demo',
    changes: [{ path: 'README.md', kind: 'modified' }],
  });
  expect(await repo.git.mend(repo.tree, order())).toEqual([]);
});

test('an index that is cut short is put right (R-VER-3)', async () => {
  const whole = await readFile(`${repo.tree.dir}/.git/index`);
  await repo.write('.git/index', whole.subarray(0, whole.length - 10));
  expect(await repo.git.mend(repo.tree, order())).toHaveLength(1);
  expect(await repo.sh('status', '--short')).toBe('');
});
