import { expect, test } from 'vitest';
import type { RefusedBy } from '../../src/ports/git.ts';
import type { Suite } from './git.ts';

const REF = 'refs/specloop/yours/demo/run/kept';
const ORDER = { message: 'feat: x', trailers: {}, paths: ['README.md', 'new.txt'], keepsStaged: true } as const;

/** What a person has that is in no commit: kept, compared and put back (R-START-2). */
export function keeping({ world, head }: Suite): void {
  const PATHS = ['README.md', 'src/a.ts', 'staged.txt', 'loose.txt'];
  /** Changed and staged differently, removed, staged, and known to no one. */
  const dirty = async (): Promise<void> => {
    const { write, remove, hands } = world();
    await write('README.md', 'staged form\n');
    await write('staged.txt', 'staged\n');
    await hands.stage(['README.md', 'staged.txt']);
    await write('README.md', 'last form\n');
    await write('loose.txt', 'loose\n');
    await remove('src/a.ts');
  };
  const keep = () => {
    const { git, tree } = world();
    return git.keepUncommitted(tree, { ref: REF, paths: PATHS, message: 'mine' });
  };
  const changesAndStaged = async () => {
    const { git, tree } = world();
    const { changes, staged } = await git.inspect(tree);
    return { changes, staged };
  };

  test('uncommitted changes are kept under a ref, and nothing is touched (R-START-2)', async () => {
    const { git, tree } = world();
    await dirty();
    const [before, at] = [await changesAndStaged(), await head()];
    const kept = (await keep()) ?? '';
    expect(await git.readRef(REF)).toBe(kept);
    expect([await changesAndStaged(), await head()]).toEqual([before, at]);
    expect(await git.fileAt(tree, kept, 'README.md')).toBe('last form\n');
    expect(await git.fileAt(tree, kept, 'loose.txt')).toBe('loose\n');
    expect(await git.fileAt(tree, kept, 'src/a.ts')).toBeUndefined();
    expect(await git.uncommittedDiffers(tree, kept, PATHS)).toEqual({ files: [], staged: [] });
  });

  test('what differs from what was kept is told, in files and in the index (R-START-2)', async () => {
    const { git, tree, write, remove, hands } = world();
    await dirty();
    const kept = (await keep()) ?? '';
    await write('src/a.ts', 'back\n');
    await remove('loose.txt');
    await hands.stage(['README.md']);
    const { files, staged } = await git.uncommittedDiffers(tree, kept, PATHS);
    expect([[...files].sort(), staged]).toEqual([['loose.txt', 'src/a.ts'], ['README.md']]);
    expect(await git.uncommittedDiffers(tree, kept, ['staged.txt'])).toEqual({ files: [], staged: [] });
  });

  test('they are put back, whatever became of them, and nothing else is (R-START-2)', async () => {
    const { git, tree, write, read, hands } = world();
    await dirty();
    const before = await changesAndStaged();
    const kept = (await keep()) ?? '';
    await git.restore(tree, { branch: 'feat/demo', commit: await head(), exclude: [] });
    expect(await changesAndStaged()).toEqual({ changes: [], staged: [] });
    await write('other.txt', 'other\n');
    await hands.stage(['other.txt']);
    await git.putBackUncommitted(tree, kept, PATHS);
    await git.putBackUncommitted(tree, kept, PATHS);
    const after = await changesAndStaged();
    expect({
      changes: after.changes.filter(({ path }) => path !== 'other.txt'),
      staged: after.staged.filter((path) => path !== 'other.txt'),
    }).toEqual(before);
    expect([await read('README.md'), await read('src/a.ts'), await read('other.txt')]).toEqual([
      'last form\n',
      undefined,
      'other\n',
    ]);
    expect(await git.uncommittedDiffers(tree, kept, PATHS)).toEqual({ files: [], staged: [] });
  });

  test('an earlier form stays reachable from a later one (R-START-2)', async () => {
    const { git, tree, write } = world();
    await write('README.md', 'first form\n');
    const first = (await keep()) ?? '';
    await write('README.md', 'second form\n');
    const second = (await keep()) ?? '';
    expect(await git.isAncestor(tree, first, second)).toBe(true);
    expect(await git.readRef(REF)).toBe(second);
    expect((await git.uncommittedDiffers(tree, first, PATHS)).files).toEqual(['README.md']);
  });

  test('commits between two others are told newest first, with their authors (R-ADV-6)', async () => {
    const { git, tree, write, hands } = world();
    const base = await head();
    expect(await git.commitsBetween(tree, base, base)).toEqual([]);
    await write('a.txt', '1\n');
    await hands.commitAll('the first\n\nwith a body');
    await write('a.txt', '2\n');
    const last = await hands.commitAll('the second');
    const commits = await git.commitsBetween(tree, base, last);
    expect(commits.map(({ subject }) => subject)).toEqual(['the second', 'the first']);
    expect(commits.every(({ author }) => author.trim() !== '')).toBe(true);
    expect(await git.commitsBetween(tree, last, base)).toEqual([]);
  });

  test('a sound tree has nothing to mend and no lock to clear, and stays as it is (R-ADV-6)', async () => {
    const { git, tree, hands } = world();
    await dirty();
    const [before, at] = [await changesAndStaged(), await head()];
    await git.clearLocks(tree);
    expect(await git.mend(tree, { branch: 'feat/demo', commit: at })).toEqual([]);
    await hands.branchOff('other');
    expect(await git.mend(tree, { branch: 'feat/demo', commit: at })).toEqual([]);
    expect((await git.inspect(tree)).branch).toBe('other');
    expect(await changesAndStaged()).toEqual(before);
  });
}

/** Commits that come to nothing: why, and what is left (R-ADV-5). */
export function refusing({ world, head }: Suite): void {
  /** Our changes, and one of the user's that is staged. */
  const change = async (): Promise<void> => {
    const { write, hands } = world();
    await write('mine.txt', 'mine\n');
    await hands.stage(['mine.txt']);
    await write('README.md', 'untidy\n');
    await write('new.txt', 'new\n');
  };
  const left = async () => {
    const { git, tree } = world();
    const { staged, changes } = await git.inspect(tree);
    return { head: await head(), staged, paths: changes.map(({ path }) => path) };
  };

  test.each<RefusedBy>(['work', 'message', 'signing', 'reference'])(
    'who refused a commit is told, here %s; files stay, and the index of others (R-ADV-5)',
    async (by) => {
      const { git, tree, hands, read } = world();
      await change();
      await hands.refuse({ by, output: 'not today' });
      const before = await left();
      const done = await git.commit(tree, ORDER);
      // What a signing program says, git keeps to itself.
      const output = by === 'signing' ? expect.any(String) : expect.stringContaining('not today');
      expect(done).toEqual({ how: 'refused', by, output });
      expect(await left()).toEqual(before);
      expect(await read('README.md')).toBe('untidy\n');
      await hands.refuse(undefined);
      expect(await git.commit(tree, ORDER)).toMatchObject({ how: 'committed' });
      expect(await left()).toEqual({ head: await head(), staged: ['mine.txt'], paths: ['mine.txt'] });
    },
  );

  test('the files that a hook has put right are named, and can be committed then (R-ADV-5)', async () => {
    const { git, tree, hands, read } = world();
    await change();
    await hands.refuse({ by: 'work', output: 'formatted', repairs: { 'README.md': 'tidy\n', 'mine.txt': 'tidy\n' } });
    const done = await git.commit(tree, ORDER);
    expect(done).toEqual({
      how: 'refused',
      by: 'work',
      output: expect.stringContaining('formatted'),
      repaired: ['README.md'],
    });
    expect([await read('README.md'), (await left()).staged]).toEqual(['tidy\n', ['mine.txt']]);
    await hands.refuse(undefined);
    expect(await git.commit(tree, ORDER)).toMatchObject({ how: 'committed' });
    expect(await git.fileAt(tree, await head(), 'README.md')).toBe('tidy\n');
  });

  test('a stop that came before makes no commit, and leaves all as it was (R-UX-3)', async () => {
    const { git, tree } = world();
    await change();
    const before = await left();
    expect(await git.commit(tree, { ...ORDER, signal: AbortSignal.abort() })).toEqual({ how: 'stopped' });
    expect(await left()).toEqual(before);
  });

  test('whether hooks may run at a commit is known, and a tree without submodules has none (R-ADV-5)', async () => {
    const { git, tree, hands } = world();
    expect([await git.hasCommitHooks(tree), await git.submodules(tree)]).toEqual([false, []]);
    await hands.refuse({ by: 'work', output: 'no' });
    expect(await git.hasCommitHooks(tree)).toBe(true);
  });
}
