import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { differences, differing } from '../../src/core/verify/fingerprint.ts';
import type { Applied, Git, Tree, Work } from '../../src/ports/git.ts';
import type { MemoryRefusal } from '../memory/repository.ts';
import { keeping, refusing } from './git-kept.ts';

/** What a person or an agent does with git behind our back. */
export interface Hands {
  /** `git add --all` for these paths. */
  stage(paths: readonly string[]): Promise<void>;
  /** Stages all changes and commits them; returns the commit. */
  commitAll(message: string): Promise<string>;
  /** Stages all changes and commits them in place of the newest commit; returns the commit. */
  amend(message: string): Promise<string>;
  /** Makes a branch at HEAD and switches to it. */
  branchOff(branch: string): Promise<void>;
  detach(): Promise<void>;
  /** Removes a branch by force, as `git branch -D` does. */
  dropBranch(branch: string): Promise<void>;
  /** Has every commit from now on refused in this way, or none. */
  refuse(how: MemoryRefusal | undefined): Promise<void>;
}

/**
 * A repository to try a `Git` on. It is clean, on branch `feat/demo`, which has one commit with `README.md` (`hello\n`),
 * `src/a.ts` (`a\n`) and `.gitignore` (`*.log\n/build/\n`).
 */
export interface GitWorld {
  readonly git: Git;
  readonly tree: Tree;
  readonly hands: Hands;
  /** Absolute path for a worktree; nothing is there. */
  readonly worktreeDir: string;
  write(path: string, text: string, tree?: Tree): Promise<void>;
  /** `undefined` if there is no such file. */
  read(path: string, tree?: Tree): Promise<string | undefined>;
  remove(path: string, tree?: Tree): Promise<void>;
  cleanup(): Promise<void>;
}

/** What every `Git` promises, seen through the port and the files only. */
export function gitContract(name: string, make: () => Promise<GitWorld>): void {
  describe(`${name} as Git`, () => {
    let world: GitWorld;
    beforeEach(async () => {
      world = await make();
    });
    afterEach(() => world.cleanup());
    const suite = { world: () => world, head: () => headOf(world) };
    inspecting(suite);
    comparing(suite);
    fingerprints(suite);
    recordable(suite);
    committing(suite);
    leavingOut(suite);
    sparing(suite);
    recording(suite);
    unwinding(suite);
    snapshots(suite);
    bringing(suite);
    refs(suite);
    restoring(suite);
    restoringAround(suite);
    branching(suite);
    worktrees(suite);
    applying(suite);
    keeping(suite);
    refusing(suite);
  });
}

/** What the tests of one part of the contract work with. */
export interface Suite {
  readonly world: () => GitWorld;
  readonly head: () => Promise<string>;
}

const ORDER = {
  message: 'feat: x',
  trailers: { 'Specloop-Task': '1.1', 'Specloop-Attempt': 'run/1' },
  paths: 'everything',
  keepsStaged: false,
} as const;
const KEPT = 'refs/specloop/kept/demo/1.1/1';

async function headOf({ git, tree }: GitWorld): Promise<string> {
  const { head } = await git.inspect(tree);
  if (head === undefined) throw new Error('the branch has no commit');
  return head;
}

async function changesOf({ git, tree }: GitWorld): Promise<Record<string, string>> {
  const { changes } = await git.inspect(tree);
  return Object.fromEntries(changes.map(({ path, kind }) => [path, kind]));
}

function inspecting({ world }: Suite): void {
  test('a clean tree is on its branch, at its commit, with no change', async () => {
    const { git, tree } = world();
    expect(await git.inspect(tree)).toEqual({
      head: expect.stringMatching(/^[0-9a-f]{40}$/),
      branch: 'feat/demo',
      operation: undefined,
      changes: [],
      staged: [],
    });
  });

  test('changed, removed and new files are told apart, ignored ones are none (R-START-2)', async () => {
    const { write, remove } = world();
    await write('README.md', 'changed\n');
    await remove('src/a.ts');
    await write('new/deep.txt', 'x\n');
    await write('noise.log', 'x\n');
    await write('build/out.txt', 'x\n');
    expect(await changesOf(world())).toEqual({
      'README.md': 'modified',
      'src/a.ts': 'deleted',
      'new/deep.txt': 'untracked',
    });
  });

  test('what is staged is a change as well, once', async () => {
    const { write, hands } = world();
    await write('README.md', 'staged\n');
    await write('new.txt', 'x\n');
    await hands.stage(['README.md', 'new.txt']);
    await write('README.md', 'and more\n');
    expect(await changesOf(world())).toEqual({ 'README.md': 'modified', 'new.txt': 'modified' });
    await write('src/a.ts', 'not staged\n');
    expect((await world().git.inspect(world().tree)).staged).toEqual(['README.md', 'new.txt']);
  });

  test('a name is told as it is, however odd (R-SEC-1)', async () => {
    const { write } = world();
    const names = ['-rf', 'a "quoted" name', 'new\nline', 'tab\there', 'ünï ☃', ':(glob)*', 'back\\slash', '*'];
    for (const name of names) await write(name, 'x\n');
    expect(Object.keys(await changesOf(world())).sort()).toEqual([...names].sort());
  });

  test('a detached HEAD has no branch (R-START-2)', async () => {
    const { git, tree, hands } = world();
    const before = await git.inspect(tree);
    await hands.detach();
    expect(await git.inspect(tree)).toEqual({ ...before, branch: undefined });
  });
}

function comparing({ world, head }: Suite): void {
  test('what differs from a commit is committed, uncommitted and untracked work (R-VER-6)', async () => {
    const { git, tree, write, remove, hands } = world();
    const base = await head();
    await write('src/b.ts', 'b\n');
    await hands.commitAll('agent');
    await write('README.md', 'changed\n');
    await remove('src/a.ts');
    await write('new.txt', 'x\n');
    await write('noise.log', 'x\n');
    expect([...(await git.changedSince(tree, base))].sort()).toEqual(['README.md', 'new.txt', 'src/a.ts', 'src/b.ts']);
  });

  test('what differs between two commits is named, whatever is in the tree (R-VER-13)', async () => {
    const { git, tree, write, remove, hands } = world();
    const base = await head();
    await write('src/b.ts', 'b\n');
    await remove('src/a.ts');
    await hands.commitAll('agent');
    await write('README.md', 'changed\n');
    expect([...(await git.changedBetween(tree, base, await head()))].sort()).toEqual(['src/a.ts', 'src/b.ts']);
    expect(await git.changedBetween(tree, base, base)).toEqual([]);
  });

  test('what was changed and changed back does not differ', async () => {
    const { git, tree, write, hands } = world();
    const base = await head();
    await write('README.md', 'changed\n');
    await hands.commitAll('agent');
    await write('README.md', 'hello\n');
    expect(await git.changedSince(tree, base)).toEqual([]);
  });

  test('the diff shows the named paths and no others, new files too (R-VER-7)', async () => {
    const { git, tree, write, remove } = world();
    const base = await head();
    await write('README.md', 'hello\nworld\n');
    await write('new.txt', 'fresh\n');
    await write('other.txt', 'other\n');
    await remove('src/a.ts');
    const text = await git.diffSince(tree, base, { bytesMax: 100_000, paths: ['README.md', 'new.txt', 'src/a.ts'] });
    for (const line of ['+world', '+fresh', '-a']) expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('other');
    expect(await git.diffSince(tree, base, { bytesMax: 100_000, paths: [] })).toBe('');
    expect(await changesOf(world())).toMatchObject({ 'new.txt': 'untracked' });
  });

  test('a long diff is cut at the end of a line', async () => {
    const { git, tree, write } = world();
    const base = await head();
    await write('long.txt', Array.from({ length: 5000 }, (_, n) => `line number ${n} ünï\n`).join(''));
    const text = await git.diffSince(tree, base, { bytesMax: 1000, paths: ['long.txt'] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1000);
    expect(text).toMatch(/line number \d+ ünï\n$/);
  });

  test('a file is read as it was in a commit; one that was not there is undefined', async () => {
    const { git, tree, write } = world();
    const base = await head();
    await write('README.md', '\uFEFFchanged\r\n');
    await write('odd\nname', 'odd\n');
    const done = await git.commit(tree, ORDER);
    expect(await git.fileAt(tree, base, 'README.md')).toBe('hello\n');
    const commit = done.how === 'committed' ? done.commit : '';
    expect(await git.fileAt(tree, commit, 'README.md')).toBe('\uFEFFchanged\r\n');
    expect(await git.fileAt(tree, commit, 'odd\nname')).toBe('odd\n');
    expect(await git.fileAt(tree, base, 'odd\nname')).toBeUndefined();
    expect(await git.fileAt(tree, base, 'src')).toBeUndefined();
  });
}

function fingerprints({ world }: Suite): void {
  const PATHS = ['README.md', 'src/a.ts', 'noise.log', 'new.txt'];

  test('equal files have equal fingerprints, ignored ones too, and nothing else has (R-VER-13)', async () => {
    const { git, tree, write, remove } = world();
    await write('noise.log', 'x\n');
    const before = await git.fingerprint(tree, PATHS);
    expect([...before.keys()]).toEqual(PATHS);
    expect(differing(before, await git.fingerprint(tree, PATHS, before))).toEqual([]);
    await write('README.md', 'HELLO\n');
    await write('noise.log', 'y\n');
    await write('new.txt', 'new\n');
    await remove('src/a.ts');
    const after = await git.fingerprint(tree, PATHS, before);
    expect(differences(before, after)).toEqual({
      gone: ['src/a.ts'],
      rewritten: ['README.md', 'noise.log', 'new.txt'],
    });
    await write('README.md', 'hello\n');
    expect(differing(before, await git.fingerprint(tree, ['README.md'], after))).not.toContain('README.md');
  });
}

function recordable({ world, head }: Suite): void {
  const asked = async (missing: readonly string[], paths: readonly string[] = []) => {
    const { git, tree } = world();
    return git.unrecordable(tree, { work: await git.fingerprint(tree, paths), missing });
  };

  test('an entry of Files that is there and ignored can be in no commit, be it a file or a folder (R-VER-13)', async () => {
    const { write } = world();
    await write('noise.log', 'x\n');
    await write('build/out.js', 'x\n');
    expect(await asked(['noise.log', 'build/', 'build/out.js', 'gone.log', 'src/a.ts', 'src/'])).toEqual([
      { path: 'noise.log', why: 'ignored', by: expect.stringMatching(/^\.gitignore:\d$/) },
      { path: 'build', why: 'ignored', by: expect.stringMatching(/^\.gitignore:\d$/) },
      { path: 'build/out.js', why: 'ignored', by: expect.stringMatching(/^\.gitignore:\d$/) },
    ]);
    expect(await asked([])).toEqual([]);
  });

  test('what is ignored and in git all the same is no matter of the ignore rules', async () => {
    const { write, git, tree } = world();
    await write('.gitignore', '');
    await write('noise.log', 'x\n');
    await git.commit(tree, ORDER);
    await write('.gitignore', '*.log\n');
    expect(await asked(['noise.log'])).toEqual([]);
  });

  test('what was ignored by the rules of a commit is told, whatever the rules are now (R-VER-13)', async () => {
    const { write, git, tree } = world();
    const base = await head();
    await write('.gitignore', 'dist/\n');
    for (const path of ['noise.log', 'build/deep/out.js', 'dist/a.js', 'new.txt']) await write(path, 'x\n');
    const paths = ['noise.log', 'build/deep/out.js', 'dist/a.js', 'new.txt', 'README.md'];
    expect(await git.ignoredBefore(tree, base, paths)).toEqual(['noise.log', 'build/deep/out.js']);
  });

  test('paths go back to HEAD, staged or not, and nothing else does (R-VER-13)', async () => {
    const { write, read, remove, git, tree, hands } = world();
    await write('README.md', 'changed\n');
    await write('new.txt', 'new\n');
    await write('staged/new.txt', 'new\n');
    await write('mine.txt', 'mine\n');
    await remove('src/a.ts');
    await write('.gitignore', 'changed\n');
    await hands.stage(['staged/new.txt', 'src/a.ts', '.gitignore', 'mine.txt']);
    await git.putBack(tree, ['README.md', 'new.txt', 'staged/new.txt', 'src/a.ts']);
    expect(await changesOf(world())).toEqual({ '.gitignore': 'modified', 'mine.txt': expect.anything() });
    expect((await git.inspect(tree)).staged).toEqual(['.gitignore', 'mine.txt']);
    expect([await read('README.md'), await read('src/a.ts'), await read('new.txt')]).toEqual([
      'hello\n',
      'a\n',
      undefined,
    ]);
    await git.putBack(tree, ['README.md', 'new.txt']);
  });
}

function committing({ world, head }: Suite): void {
  test('everything is committed: changed, new and removed files, and the tree is clean (R-ADV-1)', async () => {
    const { git, tree, write, remove } = world();
    await write('README.md', 'changed\n');
    await write('deep/new.txt', 'x\n');
    await write('noise.log', 'x\n');
    await remove('src/a.ts');
    const done = await git.commit(tree, ORDER);
    expect(done).toEqual({ how: 'committed', commit: await head() });
    expect(await changesOf(world())).toEqual({});
    expect(await git.fileAt(tree, await head(), 'deep/new.txt')).toBe('x\n');
    expect(await git.fileAt(tree, await head(), 'src/a.ts')).toBeUndefined();
    expect(await git.fileAt(tree, await head(), 'noise.log')).toBeUndefined();
  });

  test('only the named paths are committed (R-ADV-1)', async () => {
    const { git, tree, write, remove } = world();
    await write('README.md', 'changed\n');
    await write('ours.txt', 'ours\n');
    await write('theirs.txt', 'theirs\n');
    await remove('src/a.ts');
    await git.commit(tree, { ...ORDER, paths: ['ours.txt', 'src/a.ts'] });
    expect(await changesOf(world())).toEqual({ 'README.md': 'modified', 'theirs.txt': 'untracked' });
    expect(await git.fileAt(tree, await head(), 'src/a.ts')).toBeUndefined();
  });

  test('what an agent staged elsewhere is not committed with it', async () => {
    const { git, tree, write, hands } = world();
    await write('staged.txt', 'staged\n');
    await hands.stage(['staged.txt']);
    await write('ours.txt', 'ours\n');
    await git.commit(tree, { ...ORDER, paths: ['ours.txt'] });
    expect(await git.fileAt(tree, await head(), 'staged.txt')).toBeUndefined();
    expect(await changesOf(world())).toEqual({ 'staged.txt': 'untracked' });
  });
}

function leavingOut({ world, head }: Suite): void {
  test('paths without a change, without a file, or ignored are left out without a complaint (R-START-6)', async () => {
    const { git, tree, write } = world();
    await write('ours.txt', 'ours\n');
    await write('noise.log', 'x\n');
    const done = await git.commit(tree, { ...ORDER, paths: ['README.md', 'never/was.txt', 'noise.log', 'ours.txt'] });
    expect(done.how).toBe('committed');
    expect(await git.fileAt(tree, await head(), 'ours.txt')).toBe('ours\n');
    expect(await git.fileAt(tree, await head(), 'noise.log')).toBeUndefined();
  });

  test('nothing to commit is no failure and makes no commit', async () => {
    const { git, tree, write } = world();
    const before = await head();
    await write('noise.log', 'x\n');
    for (const paths of ['everything', ['README.md', 'never.txt', 'noise.log'], []] as const) {
      expect(await git.commit(tree, { ...ORDER, paths })).toEqual({ how: 'nothing' });
    }
    expect(await head()).toBe(before);
  });

  test('odd names are committed like all others (R-SEC-1)', async () => {
    const { git, tree, write } = world();
    const names = ['-rf', 'a "quoted" name', 'new\nline', 'ünï ☃', ':(glob)*', '*'];
    for (const name of [...names, 'excluded.txt']) await write(name, `${name}\n`);
    await git.commit(tree, { ...ORDER, paths: names });
    for (const name of names) expect(await git.fileAt(tree, await head(), name)).toBe(`${name}\n`);
    expect(await changesOf(world())).toEqual({ 'excluded.txt': 'untracked' });
  });

  test('a file that became a folder is committed by the named files of it only', async () => {
    const { git, tree, write, remove } = world();
    await remove('README.md');
    await write('README.md/ours.md', 'ours\n');
    await write('README.md/theirs.md', 'theirs\n');
    await git.commit(tree, { ...ORDER, paths: ['README.md', 'README.md/ours.md'] });
    expect(await changesOf(world())).toEqual({ 'README.md/theirs.md': 'untracked' });
    expect(await git.fileAt(tree, await head(), 'README.md/ours.md')).toBe('ours\n');
  });

  test('a file that became a folder, and a folder that became a file', async () => {
    const { git, tree, write, remove } = world();
    await remove('README.md');
    await write('README.md/part.md', 'part\n');
    await remove('src');
    await write('src', 'no folder\n');
    await git.commit(tree, { ...ORDER, paths: ['README.md', 'README.md/part.md', 'src', 'src/a.ts'] });
    expect(await changesOf(world())).toEqual({});
    expect(await git.fileAt(tree, await head(), 'README.md/part.md')).toBe('part\n');
    expect(await git.fileAt(tree, await head(), 'src')).toBe('no folder\n');
  });
}

function sparing({ world, head }: Suite): void {
  test.each(['asked of git', 'known already'])(
    'what the user has staged stays staged and uncommitted, %s (R-START-2)',
    async (how) => {
      const { git, tree, write, remove, hands, read } = world();
      await write('README.md', 'staged by the user\n');
      await hands.stage(['README.md']);
      await write('README.md', 'and changed again\n');
      await write('ours.txt', 'ours\n');
      await remove('src/a.ts');
      const base = await head();
      const order = { ...ORDER, paths: ['ours.txt', 'src/a.ts'], keepsStaged: true };
      const { staged } = await git.inspect(tree);
      await git.commit(tree, how === 'asked of git' ? order : { ...order, staged });
      expect(await head()).not.toBe(base);
      expect(await git.fileAt(tree, await head(), 'README.md')).toBe('hello\n');
      expect(await git.fileAt(tree, await head(), 'src/a.ts')).toBeUndefined();
      expect(await changesOf(world())).toEqual({ 'README.md': 'modified' });
      expect(await read('README.md')).toBe('and changed again\n');
    },
  );

  test('with other paths staged and nothing of ours, nothing is committed', async () => {
    const { git, tree, write, hands } = world();
    const before = await head();
    await write('mine.txt', 'mine\n');
    await hands.stage(['mine.txt']);
    expect(await git.commit(tree, { ...ORDER, paths: ['README.md', 'never.txt'], keepsStaged: true })).toEqual({
      how: 'nothing',
    });
    expect(await head()).toBe(before);
    expect(await changesOf(world())).toEqual({ 'mine.txt': 'modified' });
  });
}

function recording({ world, head }: Suite): void {
  const { trailers } = ORDER;

  test('a commit is found by its trailers, the newest first (R-ADV-2)', async () => {
    const { git, tree, write } = world();
    const since = await head();
    expect(await git.findRecord(tree, { since, trailers })).toBeUndefined();
    await write('a.txt', '1\n');
    await git.commit(tree, ORDER);
    await write('a.txt', '2\n');
    await git.commit(tree, ORDER);
    const second = await head();
    await write('a.txt', '3\n');
    await git.commit(tree, { ...ORDER, trailers: { ...trailers, 'Specloop-Task': '1.2' } });
    expect(await git.findRecord(tree, { since, trailers })).toBe(second);
    expect(await git.findRecord(tree, { since: second, trailers })).toBeUndefined();
  });

  test('all trailers have to be there, with exactly these values', async () => {
    const { git, tree, write } = world();
    const since = await head();
    await write('a.txt', '1\n');
    await git.commit(tree, { ...ORDER, trailers: { 'Specloop-Task': '1.1' } });
    await write('a.txt', '2\n');
    await git.commit(tree, { ...ORDER, trailers: { 'Specloop-Task': '1.10', 'Specloop-Attempt': 'run/1' } });
    expect(await git.findRecord(tree, { since, trailers })).toBeUndefined();
  });

  test('a subject that looks like a trailer records nothing', async () => {
    const { git, tree, write } = world();
    const since = await head();
    await write('a.txt', '1\n');
    await git.commit(tree, { ...ORDER, message: 'Specloop-Task: 1.1', trailers: {} });
    expect(await git.findRecord(tree, { since, trailers: { 'Specloop-Task': '1.1' } })).toBeUndefined();
  });

  test('the values of a trailer are read from the commits that changed a path (R-FILE-7)', async () => {
    const { git, tree, write } = world();
    const query = { trailer: 'Specloop-Task', path: 'a.txt' };
    expect(await git.trailerValues(tree, query)).toEqual(new Set());
    await write('a.txt', '1\n');
    await git.commit(tree, { ...ORDER, trailers: { 'Specloop-Task': '1.1', 'Specloop-Attempt': 'run/1' } });
    await write('b.txt', '1\n');
    await git.commit(tree, { ...ORDER, trailers: { 'Specloop-Task': '1.2' } });
    await write('a.txt', '2\n');
    await git.commit(tree, { ...ORDER, message: 'Specloop-Task: 1.3', trailers: { 'Specloop-Task': '1.4' } });
    expect(await git.trailerValues(tree, query)).toEqual(new Set(['1.1', '1.4']));
  });

  test('a record that the branch no longer reaches is none (R-ADV-2)', async () => {
    const { git, tree, write } = world();
    const since = await head();
    await write('a.txt', '1\n');
    await git.commit(tree, ORDER);
    await git.unwind(tree, since);
    expect(await git.findRecord(tree, { since, trailers })).toBeUndefined();
  });

  test('a commit reaches itself and what came before, and nothing else', async () => {
    const { git, tree, write } = world();
    const first = await head();
    await write('a.txt', '1\n');
    await git.commit(tree, ORDER);
    const second = await head();
    expect(await git.isAncestor(tree, first, first)).toBe(true);
    expect(await git.isAncestor(tree, first, second)).toBe(true);
    expect(await git.isAncestor(tree, second, first)).toBe(false);
  });
}

function unwinding({ world, head }: Suite): void {
  test('unwinding makes commits into uncommitted changes and touches no file (R-DEL-5)', async () => {
    const { git, tree, write, read, hands } = world();
    const base = await head();
    await write('README.md', 'by the agent\n');
    await write('new.txt', 'x\n');
    await hands.commitAll('my own words');
    await write('more.txt', 'y\n');
    await git.unwind(tree, base);
    expect(await git.inspect(tree)).toMatchObject({ head: base, branch: 'feat/demo' });
    expect(Object.keys(await changesOf(world())).sort()).toEqual(['README.md', 'more.txt', 'new.txt']);
    expect(await read('README.md')).toBe('by the agent\n');
  });
}

function snapshots({ world, head }: Suite): void {
  const order = async (): Promise<Parameters<Git['snapshot']>[1]> => ({
    ref: KEPT,
    base: await head(),
    message: 'kept',
    exclude: [],
  });

  const inKept = async (path: string): Promise<string | undefined> => {
    const { git, tree } = world();
    return git.fileAt(tree, (await git.readRef(KEPT)) ?? '', path);
  };

  test('a snapshot keeps changed, new and removed files, and touches none (R-RETRY-4)', async () => {
    const { git, tree, write, remove, read } = world();
    await write('README.md', 'half\n');
    await write('deep/new.txt', 'new\n');
    await write('noise.log', 'x\n');
    await remove('src/a.ts');
    const before = await git.inspect(tree);
    const kept = await git.snapshot(tree, await order());
    expect(await git.readRef(KEPT)).toBe(kept?.commit);
    expect(await git.isAncestor(tree, before.head ?? '', kept?.commit ?? '')).toBe(true);
    expect(await inKept('README.md')).toBe('half\n');
    expect(await inKept('deep/new.txt')).toBe('new\n');
    for (const path of ['src/a.ts', 'noise.log']) expect(await inKept(path)).toBeUndefined();
    expect(await git.inspect(tree)).toEqual(before);
    expect(await read('README.md')).toBe('half\n');
  });

  test('equal work has equal trees, other work has not (R-RETRY-3)', async () => {
    const { git, tree, write } = world();
    await write('new.txt', '1\n');
    const first = await git.snapshot(tree, await order());
    const again = await git.snapshot(tree, { ...(await order()), ref: `${KEPT}-2` });
    await write('new.txt', '2\n');
    const other = await git.snapshot(tree, { ...(await order()), ref: `${KEPT}-3` });
    expect(again?.treeId).toBe(first?.treeId);
    expect(other?.treeId).not.toBe(first?.treeId);
  });

  test('nothing beyond the base is no snapshot', async () => {
    const { git, tree, write } = world();
    await write('mine.txt', 'mine\n');
    await write('noise.log', 'x\n');
    expect(await git.snapshot(tree, { ...(await order()), exclude: ['mine.txt'] })).toBeUndefined();
    expect(await git.readRef(KEPT)).toBeUndefined();
  });

  test('commits beyond the base are kept although every file is committed', async () => {
    const { git, tree, write, hands } = world();
    const base = await head();
    await write('new.txt', 'x\n');
    const commit = await hands.commitAll('by the agent');
    expect(await git.snapshot(tree, { ...(await order()), base })).toMatchObject({ commit });
    expect(await inKept('new.txt')).toBe('x\n');
  });

  test('excluded paths are not in the snapshot (R-START-2)', async () => {
    const { git, tree, write, hands } = world();
    await write('README.md', 'mine\n');
    await write('mine.txt', 'mine\n');
    await hands.stage(['mine.txt']);
    await write('work.txt', 'work\n');
    await git.snapshot(tree, { ...(await order()), exclude: ['README.md', 'mine.txt'] });
    expect(await inKept('README.md')).toBe('hello\n');
    expect(await inKept('mine.txt')).toBeUndefined();
    expect(await inKept('work.txt')).toBe('work\n');
  });
}

function bringing({ world, head }: Suite): void {
  /** Work in a worktree of its own, begun at HEAD. */
  const elsewhere = async (edit: (tree: Tree) => Promise<void>): Promise<Work | undefined> => {
    const { git, worktreeDir } = world();
    const base = await head();
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    await edit(other);
    return git.workSince(other, { base, exclude: ['mine.txt'] });
  };
  const bring = async (work: Work | undefined): Promise<Applied> => {
    const { git, tree } = world();
    if (work === undefined) throw new Error('nothing to bring');
    return git.apply(tree, work.commit, work.paths);
  };
  const edit = async (other: Tree): Promise<void> => {
    const { write, remove } = world();
    await write('README.md', 'theirs\n', other);
    await write('deep/new.txt', 'new\n', other);
    await write('mine.txt', 'excluded\n', other);
    await write('noise.log', 'ignored\n', other);
    await remove('src/a.ts', other);
  };
  const expectBrought = async (): Promise<void> => {
    const { read } = world();
    expect([await read('README.md'), await read('deep/new.txt'), await read('ours.txt')]).toEqual([
      'theirs\n',
      'new\n',
      'ours\n',
    ]);
    for (const path of ['src/a.ts', 'mine.txt', 'noise.log']) expect(await read(path)).toBeUndefined();
    expect(Object.keys(await changesOf(world())).sort()).toEqual(['README.md', 'deep/new.txt', 'src/a.ts']);
  };

  test('what was changed in one tree comes on top of the work in another, uncommitted (R-PAR-3)', async () => {
    const { git, tree, write } = world();
    const work = await elsewhere(edit);
    await write('ours.txt', 'ours\n');
    await git.commit(tree, ORDER);
    const before = await head();
    expect([...(work?.paths ?? [])].sort()).toEqual(['README.md', 'deep/new.txt', 'src/a.ts']);
    expect(await bring(work)).toMatchObject({ how: 'applied' });
    expect(await head()).toBe(before);
    await expectBrought();
  });

  test('also what was committed there, which stays as it is (R-PAR-3)', async () => {
    const { git, tree, write, read, worktreeDir } = world();
    const work = await elsewhere(async (other) => {
      await edit(other);
      await git.commit(other, { ...ORDER, paths: ['README.md', 'deep/new.txt', 'src/a.ts'] });
      await write('README.md', 'not yet\n', other);
      await write('README.md', 'theirs\n', other);
    });
    const before = await git.inspect({ dir: worktreeDir });
    await write('ours.txt', 'ours\n');
    await git.commit(tree, ORDER);
    expect(await bring(work)).toMatchObject({ how: 'applied' });
    await expectBrought();
    expect(await git.inspect({ dir: worktreeDir })).toEqual(before);
    expect(await read('mine.txt', { dir: worktreeDir })).toBe('excluded\n');
  });

  test('where nothing but excluded paths differs there is no work', async () => {
    const work = await elsewhere((other) => world().write('mine.txt', 'mine\n', other));
    expect(work).toBeUndefined();
  });

  test("a file does not take the place of the user's folder whose files are ignored (R-PAR-3)", async () => {
    const { git, tree, write, read } = world();
    const work = await elsewhere((other) => write('build', 'theirs\n', other));
    await write('build/deep/measured.csv', 'mine\n');
    const before = await git.inspect(tree);
    expect(await bring(work)).toEqual({ how: 'conflict', paths: ['build/'] });
    expect(await read('build/deep/measured.csv')).toBe('mine\n');
    expect(await git.inspect(tree)).toEqual(before);
  });

  test('nor of a folder that holds ignored files next to those it removes (R-PAR-3)', async () => {
    const { git, tree, write, read, remove } = world();
    const work = await elsewhere(async (other) => {
      await remove('src', other);
      await write('src', 'theirs\n', other);
    });
    await write('src/local.log', 'mine\n');
    const before = await git.inspect(tree);
    expect(await bring(work)).toEqual({ how: 'conflict', paths: ['src/local.log'] });
    expect([await read('src/local.log'), await read('src/a.ts')]).toEqual(['mine\n', 'a\n']);
    expect(await git.inspect(tree)).toEqual(before);
  });

  test('what both changed, or the user changed, is a conflict, and all is as it was (R-PAR-3, R-START-2)', async () => {
    const { git, tree, write, read, remove, hands } = world();
    const base = await head();
    const work = await elsewhere(edit);
    await write('README.md', 'ours\n');
    await git.commit(tree, ORDER);
    expect(await bring(work)).toEqual({ how: 'conflict', paths: ['README.md'] });
    await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: [] });
    for (const isStaged of [false, true]) {
      await write('deep/new.txt', 'mine\n');
      if (isStaged) await hands.stage(['deep/new.txt']);
      const before = await git.inspect(tree);
      expect(await bring(work)).toEqual({ how: 'conflict', paths: ['deep/new.txt'] });
      expect(await git.inspect(tree)).toEqual(before);
      expect([await read('deep/new.txt'), await read('README.md')]).toEqual(['mine\n', 'hello\n']);
    }
    await remove('deep/new.txt');
  });
}

function refs({ world, head }: Suite): void {
  test('refs are set, moved, read and removed, twice if need be', async () => {
    const { git, tree, write } = world();
    const first = await head();
    expect(await git.readRef(KEPT)).toBeUndefined();
    await git.setRef(KEPT, first);
    await git.setRef(KEPT, first);
    expect(await git.readRef(KEPT)).toBe(first);
    await write('a.txt', '1\n');
    await git.commit(tree, ORDER);
    await git.setRef(KEPT, await head());
    expect(await git.readRef(KEPT)).toBe(await head());
    await git.removeRefs([KEPT]);
    await git.removeRefs([KEPT]);
    expect(await git.readRef(KEPT)).toBeUndefined();
    expect(await git.readRef('refs/heads/feat/demo')).toBe(await head());
  });
}

function restoring({ world, head }: Suite): void {
  const messUp = async ({ write, remove }: GitWorld): Promise<void> => {
    await write('README.md', 'messed up\n');
    await write('deep/er/new.txt', 'new\n');
    await remove('src');
    await write('src', 'a file\n');
    await write('noise.log', 'kept\n');
  };
  const expectRestored = async (to: string): Promise<void> => {
    const { git, tree, read } = world();
    expect(await git.inspect(tree)).toEqual({
      head: to,
      branch: 'feat/demo',
      operation: undefined,
      changes: [],
      staged: [],
    });
    expect(await git.readRef('refs/heads/feat/demo')).toBe(to);
    expect(await read('README.md')).toBe('hello\n');
    expect(await read('src/a.ts')).toBe('a\n');
    expect(await read('deep/er/new.txt')).toBeUndefined();
    expect(await read('noise.log')).toBe('kept\n');
  };
  const cases: Readonly<Record<string, (w: GitWorld) => Promise<void>>> = {
    'left changes': async () => {},
    'staged them': ({ hands }) => hands.stage(['README.md', 'src', 'deep/er/new.txt']),
    'committed them': async ({ hands }) => void (await hands.commitAll('agent')),
    'rewrote an older commit': async ({ hands }) => void (await hands.amend('rewritten')),
    'went to a branch of its own': async ({ hands }) => {
      await hands.branchOff('elsewhere');
      await hands.commitAll('elsewhere');
    },
    'detached HEAD': async ({ hands }) => {
      await hands.detach();
      await hands.commitAll('nowhere');
    },
    'removed the branch': async ({ hands }) => {
      await hands.branchOff('elsewhere');
      await hands.dropBranch('feat/demo');
    },
  };
  for (const [deed, act] of Object.entries(cases)) {
    test(`an agent that ${deed} is undone; ignored files stay (R-VER-3, R-RETRY-4)`, async () => {
      const { git, tree } = world();
      const base = await head();
      await messUp(world());
      await act(world());
      await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: [] });
      await expectRestored(base);
      await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: [] });
      await expectRestored(base);
    });
  }

  test('the branch that an agent made keeps its commits', async () => {
    const { git, tree, write, hands } = world();
    const base = await head();
    await hands.branchOff('elsewhere');
    await write('e.txt', 'x\n');
    const commit = await hands.commitAll('elsewhere');
    await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: [] });
    expect(await git.readRef('refs/heads/elsewhere')).toBe(commit);
  });

  test('without a branch, HEAD is detached at the commit', async () => {
    const { git, tree, write, hands } = world();
    const base = await head();
    await write('a.txt', '1\n');
    const commit = await hands.commitAll('agent');
    await git.restore(tree, { branch: undefined, commit: base, exclude: [] });
    expect(await git.inspect(tree)).toEqual({
      head: base,
      branch: undefined,
      operation: undefined,
      changes: [],
      staged: [],
    });
    expect(await git.readRef('refs/heads/feat/demo')).toBe(commit);
  });
}

function restoringAround({ world, head }: Suite): void {
  test('what the user had before the run is neither lost, nor changed, nor unstaged (R-START-2)', async () => {
    const { git, tree, write, remove, read, hands } = world();
    await write('README.md', 'mine, staged\n');
    await hands.stage(['README.md']);
    await write('README.md', 'mine, and more\n');
    await write('deep/mine.txt', 'mine\n');
    const base = await head();
    await write('deep/theirs.txt', 'agent\n');
    await write('other/new.txt', 'agent\n');
    await remove('src/a.ts');
    await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: ['README.md', 'deep/mine.txt'] });
    expect(await changesOf(world())).toEqual({ 'README.md': 'modified', 'deep/mine.txt': 'untracked' });
    expect(await read('README.md')).toBe('mine, and more\n');
    expect(await read('deep/mine.txt')).toBe('mine\n');
    expect(await read('src/a.ts')).toBe('a\n');
    await write('README.md', 'hello\n');
    expect(await changesOf(world())).toEqual({ 'README.md': 'modified', 'deep/mine.txt': 'untracked' });
  });

  test.each(['elsewhere', undefined])(
    'what is to be unstaged keeps its text and loses what was staged of it (%s)',
    async (branch) => {
      const { git, tree, write, read, hands } = world();
      const base = await head();
      if (branch !== undefined) await hands.branchOff(branch);
      await write('README.md', 'staged\n');
      await hands.stage(['README.md']);
      await write('README.md', 'and more\n');
      await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: [], unstage: ['README.md'] });
      expect(await read('README.md')).toBe('and more\n');
      expect((await git.inspect(tree)).staged).toEqual([]);
      expect(await changesOf(world())).toEqual({ 'README.md': 'modified' });
    },
  );

  test('also when the agent committed it with its own work, on another branch', async () => {
    const { git, tree, write, read, hands } = world();
    await write('README.md', 'mine\n');
    await write('mine.txt', 'mine\n');
    const base = await head();
    await hands.branchOff('elsewhere');
    await write('work.txt', 'agent\n');
    await hands.commitAll('all of it');
    await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: ['README.md', 'mine.txt'] });
    expect(await git.inspect(tree)).toMatchObject({ head: base, branch: 'feat/demo' });
    expect(Object.keys(await changesOf(world())).sort()).toEqual(['README.md', 'mine.txt']);
    expect(await read('README.md')).toBe('mine\n');
    expect(await read('mine.txt')).toBe('mine\n');
    expect(await read('work.txt')).toBeUndefined();
  });

  test('a file the user had removed stays removed', async () => {
    const { git, tree, write, remove, read, hands } = world();
    await remove('README.md');
    await hands.stage(['README.md']);
    await remove('src/a.ts');
    const base = await head();
    await write('work.txt', 'agent\n');
    await git.restore(tree, { branch: 'feat/demo', commit: base, exclude: ['README.md', 'src/a.ts'] });
    expect(await changesOf(world())).toEqual({ 'README.md': 'deleted', 'src/a.ts': 'deleted' });
    expect(await read('README.md')).toBeUndefined();
  });
}

function branching({ world, head }: Suite): void {
  test('a new branch takes uncommitted changes along; doing it twice is doing it once (R-START-2)', async () => {
    const { git, tree, write, read } = world();
    const before = await head();
    await write('README.md', 'changed\n');
    await git.switchToNewBranch(tree, 'feat/other');
    await git.switchToNewBranch(tree, 'feat/other');
    expect(await git.inspect(tree)).toMatchObject({
      head: before,
      branch: 'feat/other',
      changes: [{ path: 'README.md', kind: 'modified' }],
    });
    expect(await read('README.md')).toBe('changed\n');
  });

  test('a branch that is there already is not taken over', async () => {
    const { git, tree, hands } = world();
    await hands.branchOff('taken');
    await git.switchToNewBranch(tree, 'feat/other');
    await expect(git.switchToNewBranch(tree, 'taken')).rejects.toThrow(/taken/);
    expect((await git.inspect(tree)).branch).toBe('feat/other');
  });

  test('a name that is no name for a branch is refused', async () => {
    const { git, tree } = world();
    for (const name of ['-f', 'a..b', '']) await expect(git.switchToNewBranch(tree, name)).rejects.toThrow();
    expect((await git.inspect(tree)).branch).toBe('feat/demo');
  });
}

function worktrees({ world, head }: Suite): void {
  test('the files of a worktree are kept whatever became of its git folder (R-RETRY-4)', async () => {
    const { git, write, remove, worktreeDir } = world();
    const base = await head();
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    const order = { ref: KEPT, base, message: 'the files' };
    expect(await git.salvage(worktreeDir, order)).toBeUndefined();
    await write('new.txt', 'new\n', other);
    await write('noise.log', 'x\n', other);
    await remove('src/a.ts', other);
    const kept = await git.salvage(worktreeDir, order);
    expect(await git.readRef(KEPT)).toBe(kept?.commit);
    expect(await git.fileAt(other, kept?.commit ?? '', 'new.txt')).toBe('new\n');
    for (const path of ['src/a.ts', 'noise.log'])
      expect(await git.fileAt(other, kept?.commit ?? '', path)).toBeUndefined();
    await git.removeWorktree(worktreeDir);
    expect(await git.salvage(worktreeDir, order)).toBeUndefined();
  });

  test('a worktree stands apart, on a branch of its own; adding it twice is adding it once (R-PAR-3)', async () => {
    const { git, tree, write, read, worktreeDir } = world();
    const base = await head();
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    await write('README.md', 'elsewhere\n', other);
    const done = await git.commit(other, ORDER);
    expect(await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base })).toEqual(other);
    expect(await git.inspect(other)).toEqual({
      head: done.how === 'committed' && done.commit,
      branch: 'own/1',
      operation: undefined,
      changes: [],
      staged: [],
    });
    expect(await git.inspect(tree)).toEqual({
      head: base,
      branch: 'feat/demo',
      operation: undefined,
      changes: [],
      staged: [],
    });
    expect(await read('README.md')).toBe('hello\n');
  });

  test('a worktree is removed with what is in it, not its branch, and can be made again (R-PAR-3)', async () => {
    const { git, write, read, worktreeDir } = world();
    const base = await head();
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    await write('left.txt', 'left\n', other);
    await git.commit(other, ORDER);
    await git.removeWorktree(worktreeDir);
    await git.removeWorktree(worktreeDir);
    expect(await git.readRef('refs/heads/own/1')).not.toBe(base);
    expect(await read('README.md', other)).toBeUndefined();
    const again = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    expect(await git.inspect(again)).toMatchObject({ head: base, branch: 'own/1', changes: [] });
    expect(await read('left.txt', again)).toBeUndefined();
    await git.removeWorktree(worktreeDir);
    await git.removeRefs(['refs/heads/own/1']);
    expect(await git.readRef('refs/heads/own/1')).toBeUndefined();
  });
}

function applying({ world, head }: Suite): void {
  const elsewhere = async (edit: (tree: Tree) => Promise<void>): Promise<string> => {
    const { git, worktreeDir } = world();
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: await head() });
    await edit(other);
    const done = await git.commit(other, ORDER);
    if (done.how !== 'committed') throw new Error(`nothing to apply: ${done.how}`);
    return done.commit;
  };

  test('what a commit changed is applied on top of other work, without a commit (R-PAR-3)', async () => {
    const { git, tree, write, remove, read } = world();
    const theirs = await elsewhere(async (other) => {
      await write('src/b.ts', 'b\n', other);
      await remove('src/a.ts', other);
    });
    await write('README.md', 'ours\n');
    await git.commit(tree, ORDER);
    const before = await head();
    expect(await git.apply(tree, theirs)).toEqual({ how: 'applied' });
    expect(await head()).toBe(before);
    expect(Object.keys(await changesOf(world())).sort()).toEqual(['src/a.ts', 'src/b.ts']);
    expect(await read('src/b.ts')).toBe('b\n');
    expect(await read('src/a.ts')).toBeUndefined();
    expect(await read('README.md')).toBe('ours\n');
  });

  test("on a conflict the paths are named and all is as it was, the user's changes too (R-PAR-3)", async () => {
    const { git, tree, write, read, hands } = world();
    const theirs = await elsewhere(async (other) => {
      await write('README.md', 'theirs\n', other);
      await write('new.txt', 'theirs\n', other);
    });
    await write('README.md', 'ours\n');
    await git.commit(tree, ORDER);
    await write('mine.txt', 'staged\n');
    await hands.stage(['mine.txt']);
    await write('mine.txt', 'and more\n');
    await write('src/a.ts', 'dirty\n');
    const before = await git.inspect(tree);
    expect(await git.apply(tree, theirs)).toEqual({ how: 'conflict', paths: ['README.md'] });
    expect(await git.inspect(tree)).toEqual(before);
    expect(await read('README.md')).toBe('ours\n');
    expect(await read('new.txt')).toBeUndefined();
    expect([await read('mine.txt'), await read('src/a.ts')]).toEqual(['and more\n', 'dirty\n']);
  });

  test("a change of the user's that stands in the way is a conflict, and is kept (R-START-2)", async () => {
    const { git, tree, write, read } = world();
    const theirs = await elsewhere(async (other) => {
      await write('README.md', 'theirs\n', other);
      await write('new.txt', 'theirs\n', other);
    });
    await write('new.txt', 'mine\n');
    expect(await git.apply(tree, theirs)).toEqual({ how: 'conflict', paths: ['new.txt'] });
    expect([await read('new.txt'), await read('README.md')]).toEqual(['mine\n', 'hello\n']);
  });
}
