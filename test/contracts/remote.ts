import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PushRefusal, type Remote, RemoteFault } from '../../src/ports/remote.ts';
import type { GitWorld } from './git.ts';

/** What is at the other side of the remote, and what people do there. */
export interface OtherSide {
  /** The newest commit of a branch there. */
  head(branch: string): Promise<string | undefined>;
  /** Somebody else commits files on top of a branch that is there, and pushes; returns the commit. */
  commit(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Somebody else puts such a commit in place of the newest one, by force; returns the commit. */
  amend(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Has every push refused from now on; `denied` and `unreachable` hold for fetching as well. */
  refuse(cause: Extract<PushRefusal, 'protected' | 'hook' | 'denied' | 'unreachable'>): Promise<void>;
}

/** A repository as for a `Git`, with a remote that has no branch yet. */
export interface RemoteWorld extends GitWorld {
  readonly remote: Remote;
  readonly there: OtherSide;
}

const BRANCH = 'feat/demo';
const MESSAGE = "Merge branch 'main' into feat/demo";

/** What every `Remote` promises, seen through the port, the files and the other side only. */
export function remoteContract(name: string, make: () => Promise<RemoteWorld>): void {
  describe(`${name} as Remote`, () => {
    let world: RemoteWorld;
    beforeEach(async () => {
      world = await make();
    });
    afterEach(() => world.cleanup());
    const suite = { world: () => world, head: () => headOf(world) };
    pushing(suite);
    fetching(suite);
    advancing(suite);
    standingInTheWay(suite);
    merging(suite);
  });
}

interface Suite {
  readonly world: () => RemoteWorld;
  readonly head: () => Promise<string>;
}

async function headOf({ git, tree }: RemoteWorld): Promise<string> {
  const { head } = await git.inspect(tree);
  if (head === undefined) throw new Error('the branch has no commit');
  return head;
}

function pushing({ world, head }: Suite): void {
  test('a commit becomes the newest of the branch there, and again is the same (R-PR-1)', async () => {
    const { remote, there } = world();
    expect(await remote.push(BRANCH, await head())).toEqual({ how: 'pushed', isNew: true });
    expect(await remote.push(BRANCH, await head())).toEqual({ how: 'pushed', isNew: false });
    expect(await there.head(BRANCH)).toBe(await head());
  });

  test('what is committed after a push is there after the next one (R-PR-6)', async () => {
    const { remote, there, hands, write } = world();
    await remote.push(BRANCH, await head());
    await write('src/a.ts', 'b\n');
    const second = await hands.commitAll('second');
    expect(await remote.push(BRANCH, second)).toMatchObject({ how: 'pushed' });
    expect(await there.head(BRANCH)).toBe(second);
  });

  test('a branch that others pushed to is never overwritten (R-PR-6)', async () => {
    const { remote, there, hands, write } = world();
    await remote.push(BRANCH, await head());
    const theirs = await there.commit(BRANCH, { 'theirs.txt': 'x\n' });
    await write('src/a.ts', 'b\n');
    const ours = await hands.commitAll('ours');
    expect(await remote.push(BRANCH, ours)).toMatchObject({ how: 'refused', cause: 'behind' });
    await remote.fetch(BRANCH);
    expect(await remote.push(BRANCH, ours)).toMatchObject({ how: 'refused', cause: 'behind' });
    expect(await there.head(BRANCH)).toBe(theirs);
  });

  test.each(['protected', 'hook', 'denied', 'unreachable'] as const)(
    'a push that is refused (%s) says why, and nothing has moved there (R-PR-7)',
    async (cause) => {
      const { remote, there, hands, write } = world();
      const first = await head();
      await remote.push(BRANCH, first);
      await there.refuse(cause);
      await write('src/a.ts', 'b\n');
      const answer = await remote.push(BRANCH, await hands.commitAll('second'));
      expect(answer).toEqual({ how: 'refused', cause, output: expect.stringMatching(/\S/) });
      expect(await there.head(BRANCH)).toBe(first);
    },
  );
}

function fetching({ world, head }: Suite): void {
  test('a branch that is not there is none', async () => {
    expect(await world().remote.fetch(BRANCH)).toBeUndefined();
  });

  test('what others pushed is fetched, and moves neither branch nor files (R-PR-11)', async () => {
    const { remote, there, git, tree, read } = world();
    const first = await head();
    await remote.push(BRANCH, first);
    expect(await remote.fetch(BRANCH)).toBe(first);
    const theirs = await there.commit(BRANCH, { 'README.md': 'theirs\n' });
    expect(await git.isAncestor(tree, first, theirs)).toBe(false);
    expect(await remote.fetch(BRANCH)).toBe(theirs);
    expect(await git.isAncestor(tree, first, theirs)).toBe(true);
    expect(await git.fileAt(tree, theirs, 'README.md')).toBe('theirs\n');
    expect(await git.inspect(tree)).toMatchObject({ head: first, branch: BRANCH, changes: [] });
    expect(await read('README.md')).toBe('hello\n');
  });

  test('a branch that was rewritten there is fetched as it is there (R-PR-11)', async () => {
    const { remote, there, git, tree, hands, write } = world();
    await write('src/a.ts', 'b\n');
    const ours = await hands.commitAll('second');
    await remote.push(BRANCH, ours);
    const theirs = await there.amend(BRANCH, { 'src/a.ts': 'c\n' });
    expect(await remote.fetch(BRANCH)).toBe(theirs);
    expect(await git.isAncestor(tree, ours, theirs)).toBe(false);
  });

  test.each(['denied', 'unreachable'] as const)(
    'a remote that cannot be read (%s) is a fault (R-PR-7)',
    async (trouble) => {
      const { remote, there } = world();
      await remote.push(BRANCH, await head());
      await there.refuse(trouble);
      const fault = await remote.fetch(BRANCH).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(RemoteFault);
      expect(fault).toMatchObject({ trouble });
    },
  );
}

/** Somebody else has pushed a commit on top of ours, and it is fetched. */
async function theirsOnTop(
  { remote, there }: RemoteWorld,
  order: { readonly on: string; readonly files: Readonly<Record<string, string>> },
): Promise<string> {
  await remote.push(BRANCH, order.on);
  const theirs = await there.commit(BRANCH, order.files);
  await remote.fetch(BRANCH);
  return theirs;
}

function advancing({ world, head }: Suite): void {
  test('branch and files move to a commit that descends from it, and again is the same (R-PR-11)', async () => {
    const { remote, git, tree, read } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'b\n', 'new/x.txt': 'x\n' } });
    expect(await remote.advance(theirs)).toEqual({ ok: true });
    expect(await remote.advance(theirs)).toEqual({ ok: true });
    expect(await git.inspect(tree)).toMatchObject({ head: theirs, branch: BRANCH, changes: [], staged: [] });
    expect([await read('README.md'), await read('new/x.txt')]).toEqual(['b\n', 'x\n']);
  });

  test('uncommitted changes of the user stay as they are, staged or not (R-PR-11, R-START-2)', async () => {
    const { remote, git, tree, read, write, hands } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'b\n' } });
    await write('src/a.ts', 'mine\n');
    await write('staged.txt', 'mine\n');
    await write('loose.txt', 'mine\n');
    await hands.stage(['staged.txt']);
    expect(await remote.advance(theirs)).toEqual({ ok: true });
    const { head: now, changes, staged } = await git.inspect(tree);
    expect({ now, staged, changed: changes.map(({ path }) => path).sort() }).toEqual({
      now: theirs,
      staged: ['staged.txt'],
      changed: ['loose.txt', 'src/a.ts', 'staged.txt'],
    });
    expect(await read('src/a.ts')).toBe('mine\n');
  });

  test('files that an advance which was cut off had written are no obstacle (R-PR-11)', async () => {
    const { remote, git, tree, write } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'b\n', 'new.txt': 'x\n' } });
    await write('README.md', 'b\n');
    await write('new.txt', 'x\n');
    expect(await remote.advance(theirs)).toEqual({ ok: true });
    expect(await git.inspect(tree)).toMatchObject({ head: theirs, changes: [], staged: [] });
  });

  test('a commit that does not descend from the branch is no place to move to (R-PR-11)', async () => {
    const { remote, git, tree, write, hands } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'b\n' } });
    await write('src/a.ts', 'b\n');
    const ours = await hands.commitAll('ours');
    expect(await remote.advance(theirs)).toEqual({ ok: false, output: expect.stringMatching(/\S/) });
    expect(await git.inspect(tree)).toMatchObject({ head: ours, changes: [], operation: undefined });
  });
}

function standingInTheWay({ world, head }: Suite): void {
  test.each([
    ['a change', 'README.md', 'mine\n', []],
    ['a staged change', 'README.md', 'mine\n', ['README.md']],
    ['an untracked file', 'new.txt', 'mine\n', []],
    ['an ignored file', 'noise.log', 'mine\n', []],
  ])(
    '%s of the user in the way stops it, and everything is as it was (R-PR-11, R-START-2)',
    async (_what, path, text, staged) => {
      const { remote, git, tree, write, read, hands } = world();
      const first = await head();
      const theirs = await theirsOnTop(world(), {
        on: first,
        files: { 'README.md': 'b\n', 'new.txt': 'x\n', 'noise.log': 'x\n' },
      });
      await write(path, text);
      if (staged.length > 0) await hands.stage(staged);
      const before = await git.inspect(tree);
      expect(await remote.advance(theirs)).toEqual({ ok: false, output: expect.stringContaining(path) });
      expect(await git.inspect(tree)).toEqual({ ...before, head: first });
      expect(await read(path)).toBe(text);
    },
  );
}

function merging({ world, head }: Suite): void {
  test('two commits that agree are merged, on no branch and in no file (R-PR-11)', async () => {
    const { remote, git, tree, write, read, hands } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'theirs\n' } });
    await write('src/a.ts', 'ours\n');
    const ours = await hands.commitAll('ours');
    const { commit, conflicts } = await remote.merge(ours, theirs, MESSAGE);
    expect(conflicts).toEqual([]);
    expect(await Promise.all([ours, theirs].map((side) => git.isAncestor(tree, side, commit)))).toEqual([true, true]);
    expect(await git.fileAt(tree, commit, 'README.md')).toBe('theirs\n');
    expect(await git.fileAt(tree, commit, 'src/a.ts')).toBe('ours\n');
    const subjects = (await git.commitsBetween(tree, ours, commit)).map(({ subject }) => subject);
    expect(subjects).toContain(MESSAGE);
    expect(await git.inspect(tree)).toMatchObject({ head: ours, changes: [], operation: undefined });
    expect(await read('README.md')).toBe('hello\n');
  });

  test('where two commits disagree, the paths are named and hold conflict markers (R-PR-11)', async () => {
    const { remote, git, tree, write, hands } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'src/a.ts': 'theirs\n', 'ünï ☃': 'x\n' } });
    await write('src/a.ts', 'ours\n');
    await write('ünï ☃', 'y\n');
    const ours = await hands.commitAll('ours');
    const { commit, conflicts } = await remote.merge(ours, theirs, MESSAGE);
    expect([...conflicts].sort()).toEqual(['src/a.ts', 'ünï ☃']);
    expect(await git.fileAt(tree, commit, 'src/a.ts')).toMatch(/^<{7} .*\nours\n={7}\ntheirs\n>{7} .*\n$/);
    expect(await remote.push(BRANCH, commit)).toMatchObject({ how: 'pushed' });
  });

  test('the branch moves on to a merge of itself, where the other side is its ancestor then (R-PR-11)', async () => {
    const { remote, git, tree, write, hands } = world();
    const theirs = await theirsOnTop(world(), { on: await head(), files: { 'README.md': 'theirs\n' } });
    await write('src/a.ts', 'ours\n');
    const { commit } = await remote.merge(await hands.commitAll('ours'), theirs, MESSAGE);
    expect(await remote.advance(commit)).toEqual({ ok: true });
    expect(await git.inspect(tree)).toMatchObject({ head: commit, changes: [] });
    expect(await remote.push(BRANCH, commit)).toMatchObject({ how: 'pushed' });
  });
}
