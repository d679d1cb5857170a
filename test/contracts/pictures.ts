import { describe, expect, test } from 'vitest';
import { compare } from '../../src/core/watch/compare.ts';
import type { Picture } from '../../src/core/watch/picture.ts';
import type { Pictures, Scene } from '../../src/ports/pictures.ts';

/** A repository on the branch `feat/demo`, with two commits and the tracked file `README.md`, and what others may do to it. */
export interface PicturesWorld {
  readonly pictures: Pictures;
  readonly scene: Scene;
  /** Writes a file of the git folder, `name` as `hooks/pre-commit`; a hook can be executed. */
  readonly write: (name: string, text: string) => void;
  readonly remove: (name: string) => void;
  /** Points a ref at the first or the second commit, or removes it. */
  readonly setRef: (name: string, to: 'first' | 'second' | 'gone') => void;
  readonly stash: (message: string) => void;
  readonly clearStash: () => void;
  readonly hide: (path: string) => void;
}

/** What the watch relies on, wherever pictures are taken (R-VER-14). */
export function picturesContract(kind: string, make: () => PicturesWorld): void {
  const nothingNamed = () => false;
  const told = (before: Picture, now: Picture) =>
    compare(before, now, nothingNamed).differences.map(({ text }) => text);
  const undosOf = (before: Picture, now: Picture) =>
    compare(before, now, nothingNamed).differences.flatMap(({ undo }) => undo ?? []);

  describe(`${kind} as pictures`, () => {
    test('two pictures of the same show no difference, taken for the first time or again (R-VER-14)', async () => {
      const { pictures, scene } = possessions(make());
      const before = await pictures.take(scene);
      expect(told(before, await pictures.take(scene))).toEqual([]);
      expect(told(before, await pictures.takeAgain(before, scene))).toEqual([]);
    });

    test('a picture is plain data, which can be written down and read (R-VER-14)', async () => {
      const { pictures, scene } = possessions(make());
      const before = await pictures.take(scene);
      const read: Picture = JSON.parse(JSON.stringify(before));
      expect(read).toEqual(before);
      expect(told(read, await pictures.takeAgain(read, scene))).toEqual([]);
    });

    test('the branch of the run and refs of our own are not in it: they move by our doing (R-VER-14)', async () => {
      const world = possessions(make());
      const before = await world.pictures.take(world.scene);
      world.setRef('refs/heads/feat/demo', 'first');
      world.setRef('refs/specloop/kept/x', 'first');
      world.setRef('refs/remotes/origin/main', 'first');
      expect(told(before, await world.pictures.take(world.scene))).toEqual([]);
    });

    test.each(DEEDS)(
      '%s is seen, also in a picture taken again, and put back; twice is once (R-VER-14)',
      async (_, deed, text) => {
        const world = possessions(make());
        const { pictures, scene } = world;
        const before = await pictures.take(scene);
        deed(world);
        const now = await pictures.take(scene);
        expect(told(before, now)).toEqual([expect.stringContaining(text)]);
        expect(told(before, await pictures.takeAgain(before, scene))).toEqual(told(before, now));
        for (let time = 1; time <= 2; time++) {
          expect((await pictures.putBack(before, undosOf(before, now))).failed).toEqual([]);
          expect(told(before, await pictures.take(scene))).toEqual([]);
        }
      },
    );

    test('what came is seen, and is not in the way of what comes back (R-VER-14)', async () => {
      const world = possessions(make());
      const { pictures, scene } = world;
      const before = await pictures.take(scene);
      world.clearStash();
      world.stash('later');
      world.setRef('refs/heads/idea', 'first');
      const now = await pictures.take(scene);
      await pictures.putBack(before, undosOf(before, now));
      const after = await pictures.take(scene);
      expect(after.stash.map(({ message }) => message)).toEqual(
        ['later', 'two', 'one'].map((message) => expect.stringContaining(message)),
      );
      expect(told(before, after)).toEqual([
        'The branch idea was created',
        expect.stringContaining('An entry was added to the stash'),
      ]);
    });
  });
}

/** What a user may have. */
function possessions(world: PicturesWorld): PicturesWorld {
  world.write('hooks/pre-commit', '#!/bin/sh\nexit 0\n');
  world.write('info/exclude', '*.log\n');
  world.setRef('refs/heads/precious', 'first');
  world.setRef('refs/tags/v1', 'first');
  world.stash('one');
  world.stash('two');
  return world;
}

const DEEDS: readonly (readonly [string, (world: PicturesWorld) => void, string])[] = [
  [
    'a hook that was emptied',
    ({ write }) => write('hooks/pre-commit', ''),
    'The hook .git/hooks/pre-commit was changed',
  ],
  ['a hook that was removed', ({ remove }) => remove('hooks/pre-commit'), 'The hook .git/hooks/pre-commit was removed'],
  [
    'a hook that came to others',
    ({ write }) => write('hooks/post-commit', 'x'),
    'The hook .git/hooks/post-commit was added',
  ],
  ['an ignore rule', ({ write }) => write('info/exclude', '*\n'), '.git/info/exclude was changed'],
  ['ignore rules that went', ({ remove }) => remove('info/exclude'), '.git/info/exclude was removed'],
  [
    'a branch that was removed',
    ({ setRef }) => setRef('refs/heads/precious', 'gone'),
    'The branch precious was removed',
  ],
  ['a branch that was moved', ({ setRef }) => setRef('refs/heads/precious', 'second'), 'The branch precious was moved'],
  ['a tag that was removed', ({ setRef }) => setRef('refs/tags/v1', 'gone'), 'The tag v1 was removed'],
  ['a stash that was cleared', ({ clearStash }) => clearStash(), '2 entries of the stash were removed'],
  [
    'a change that was hidden',
    ({ hide }) => hide('README.md'),
    'Changes of README.md were hidden from git (skip-worktree)',
  ],
];
