import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearStaleLocks } from './locks.ts';
import { type Repository, repository } from './test-rig.ts';

const ORDER = { message: 'feat: x', trailers: {}, paths: 'everything', keepsStaged: false } as const;
const LOCKS = [
  'index.lock',
  'HEAD.lock',
  'packed-refs.lock',
  'config.lock',
  'refs/heads/feat/demo.lock',
  'refs/specloop/kept/x.lock',
  'next-index-123.lock',
];

let repo: Repository;
let commonDir: string;
beforeEach(async () => {
  repo = await repository({ lockMs: 300 });
  commonDir = join(repo.tree.dir, '.git');
});
afterEach(() => repo.cleanup());

const lock = async (name: string, ageMs: number): Promise<string> => {
  await repo.write(`.git/${name}`, '');
  const at = new Date(Date.now() - ageMs);
  await utimes(join(commonDir, name), at, at);
  return join(commonDir, name);
};

describe('locks that a crash left (R-ADV-2)', () => {
  test('are removed and named, those of worktrees and temporary files of ours too', async () => {
    await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: repo.first });
    const names = [
      ...LOCKS,
      'worktrees/worktree/index.lock',
      `specloop-index-${'0'.repeat(16)}`,
      `specloop-index-${'0'.repeat(16)}.lock`,
      `specloop-paths-${'0'.repeat(16)}`,
    ];
    const paths = await Promise.all(names.map((name) => lock(name, 60_000)));
    const removed = await clearStaleLocks(commonDir, { olderThanMs: 10_000 });
    expect([...removed].sort()).toEqual([...paths].sort());
    expect(paths.filter(existsSync)).toEqual([]);
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  });

  test('stay while they are young, and while a git is at work', async () => {
    const young = await lock('index.lock', 1_000);
    expect(await clearStaleLocks(commonDir, { olderThanMs: 10_000 })).toEqual([]);
    expect(await clearStaleLocks(commonDir, { olderThanMs: 0, aliveGit: () => true })).toEqual([]);
    expect(existsSync(young)).toBe(true);
  });

  test('nothing else that ends in .lock is touched', async () => {
    const paths = [await lock('hooks/my.lock', 60_000), await lock('specloop/run.lock', 60_000)];
    await repo.write('yarn.lock', 'x\n');
    expect(await clearStaleLocks(commonDir, { olderThanMs: 0 })).toEqual([]);
    expect(paths.every(existsSync)).toBe(true);
  });

  test('a git that has the repository open is seen, one elsewhere is not', async () => {
    const path = await lock('index.lock', 60_000);
    await repo.sh('init', '--quiet', join(repo.beside, 'other'));
    const elsewhere = spawn('git', ['cat-file', '--batch'], { cwd: join(repo.beside, 'other'), env: repo.env });
    const here = spawn('git', ['cat-file', '--batch'], { cwd: join(repo.tree.dir, 'src'), env: repo.env });
    here.stdin.write('HEAD\n');
    await once(here.stdout, 'data');
    expect(await clearStaleLocks(commonDir, { olderThanMs: 0 })).toEqual([]);
    here.stdin.end();
    await once(here, 'close');
    expect(await clearStaleLocks(commonDir, { olderThanMs: 0 })).toEqual([path]);
    elsewhere.stdin.end();
    await once(elsewhere, 'close');
  });
});

describe('locks that an attempt left, whose programs are all ended (R-ADV-6)', () => {
  test('are removed: those of the tree, of refs, and of what all trees share', async () => {
    const paths = await Promise.all(LOCKS.map((name) => lock(name, 0)));
    await repo.git.clearLocks(repo.tree);
    expect(paths.filter(existsSync)).toEqual([]);
    await repo.write('a.txt', 'x\n');
    expect((await repo.git.commit(repo.tree, ORDER)).how).toBe('committed');
  });

  test('of a worktree do not include those of the tree next to it', async () => {
    const other = await repo.git.addWorktree(join(repo.beside, 'worktree'), { branch: 'own/1', commit: repo.first });
    const theirs = await Promise.all(['index.lock', 'HEAD.lock'].map((name) => lock(name, 0)));
    const own = await Promise.all(['worktrees/worktree/index.lock', 'packed-refs.lock'].map((name) => lock(name, 0)));
    await repo.git.clearLocks(other);
    expect(own.filter(existsSync)).toEqual([]);
    expect(theirs.every(existsSync)).toBe(true);
  });

  test('stay while a git is at work', async () => {
    const path = await lock('index.lock', 0);
    const here = spawn('git', ['cat-file', '--batch'], { cwd: repo.tree.dir, env: repo.env });
    here.stdin.write('HEAD\n');
    await once(here.stdout, 'data');
    await repo.git.clearLocks(repo.tree);
    expect(existsSync(path)).toBe(true);
    here.stdin.end();
    await once(here, 'close');
  });

  test('a tree whose git folder is gone has none', async () => {
    await rm(commonDir, { recursive: true });
    await expect(repo.git.clearLocks(repo.tree)).resolves.toBeUndefined();
  });
});

describe('a lock that another program holds', () => {
  test('is waited for', async () => {
    const patient = await repository({ lockMs: 30_000 });
    await patient.write('.git/index.lock', '');
    await patient.write('a.txt', 'x\n');
    const committed = patient.git.commit(patient.tree, ORDER);
    await patient.git.inspect(patient.tree);
    await rm(join(patient.tree.dir, '.git/index.lock'));
    expect((await committed).how).toBe('committed');
    await patient.cleanup();
  });

  test('for ever is a fault that names it; nothing is committed and it is not removed', async () => {
    const path = await lock('index.lock', 0);
    await repo.write('a.txt', 'x\n');
    await expect(repo.git.commit(repo.tree, ORDER)).rejects.toThrow(path);
    expect(existsSync(path)).toBe(true);
    expect((await repo.git.inspect(repo.tree)).head).toBe(repo.first);
  });

  test('a look at the tree needs no lock', async () => {
    await lock('index.lock', 0);
    await repo.write('README.md', 'changed\n');
    expect((await repo.git.inspect(repo.tree)).changes).toEqual([{ path: 'README.md', kind: 'modified' }]);
  });
});
