import { expect, test } from 'vitest';
import { sentencesAfterKill, undosAfterKill } from './after-kill.ts';
import { compare } from './compare.ts';
import { type FileUse, type Picture, partOf, type SeenFile } from './picture.ts';

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)];
const EMPTY: Picture = {
  files: {},
  refs: {},
  elsewhere: [],
  stash: [],
  flags: { '/r': [] },
  hooksFolder: '/r/.git/hooks',
};

const file = (bytes: string, more: Partial<SeenFile> = {}): SeenFile => ({ bytes, mode: 0o644, ...more });

/** A picture of one file. */
function of(use: FileUse, shown: string, seen?: SeenFile, tree?: string): Picture {
  const one = { use, shown, ...(seen && { seen }), ...(tree === undefined ? {} : { tree }) };
  return { ...EMPTY, files: { [`/r/${shown}`]: one } };
}

const hook = (bytes?: string, mode = 0o755) =>
  of('hook', '.git/hooks/pre-commit', bytes === undefined ? undefined : file(bytes, { mode }));
const config = (bytes?: string) => of('config', '.git/config', bytes === undefined ? undefined : file(bytes));
const refs = (values: Picture['refs'], elsewhere: readonly string[] = []): Picture => ({
  ...EMPTY,
  refs: values,
  elsewhere,
});
const stash = (...messages: readonly string[]): Picture => ({
  ...EMPTY,
  stash: messages.map((message) => ({ commit: `c-${message}`, message })),
});
const flags = (...paths: readonly string[]): Picture => ({
  ...EMPTY,
  flags: { '/r': paths.map((path) => ({ path, flag: 'skip-worktree' })) },
});

type Fate = 'put back, rejects' | 'put back, told' | 'told';

const nowhere = () => false;

function fates(
  before: Picture,
  after: Picture,
  isNamed: (path: string) => boolean = nowhere,
): readonly (readonly [string, Fate])[] {
  return compare(before, after, isNamed).differences.map(({ text, rejects, undo }) => [
    text,
    rejects ? 'put back, rejects' : undo === undefined ? 'told' : 'put back, told',
  ]);
}

test.each<[string, Picture, Picture, string, Fate]>([
  [
    'a setting that changed',
    config('[a]\nb=1'),
    config('[a]\nb=2'),
    'The git setting a.b was changed in .git/config',
    'put back, rejects',
  ],
  [
    'a setting that went',
    config('[a]\nb=1'),
    config(''),
    'The git setting a.b was removed in .git/config',
    'put back, rejects',
  ],
  [
    'settings that went with their file',
    config('[a]\nb=1'),
    config(),
    'The git setting a.b was removed in .git/config',
    'put back, rejects',
  ],
  [
    'one value of several',
    config('[a]\nb=1\nb=2'),
    config('[a]\nb=1'),
    'The git setting a.b was changed in .git/config',
    'put back, rejects',
  ],
  [
    'a new setting that decides nothing',
    config(''),
    config('[alias]\nst=status'),
    'The git setting alias.st was added in .git/config',
    'told',
  ],
  [
    'a new setting that decides what is committed',
    config(''),
    config('[filter "x"]\nclean=y'),
    'The git setting filter.x.clean was added in .git/config',
    'put back, rejects',
  ],
  [
    'hooks from elsewhere where there were none',
    config(''),
    config('[core]\nhooksPath=h'),
    'The git setting core.hookspath was added in .git/config',
    'told',
  ],
  ['a hook that changed', hook('a'), hook('b'), 'The hook .git/hooks/pre-commit was changed', 'put back, rejects'],
  ['a hook that went', hook('a'), hook(), 'The hook .git/hooks/pre-commit was removed', 'put back, rejects'],
  [
    'a hook that does not run any more',
    hook('a'),
    hook('a', 0o644),
    'The hook .git/hooks/pre-commit was made not executable',
    'put back, rejects',
  ],
  ['a hook where there was none', hook(), hook('a'), 'The hook .git/hooks/pre-commit was added', 'told'],
  [
    'rules of what git sees',
    of('rules', '.git/info/exclude'),
    of('rules', '.git/info/exclude', file('x')),
    '.git/info/exclude was added',
    'put back, rejects',
  ],
  [
    'settings of ours',
    of('settings', 's.yaml', file('a'), '/r'),
    of('settings', 's.yaml', undefined, '/r'),
    'The settings file s.yaml was removed',
    'put back, rejects',
  ],
  [
    'a file that became a link',
    of('settings', 's.yaml', file('a')),
    of('settings', 's.yaml', file('a', { link: '../x' })),
    'The settings file s.yaml was changed',
    'put back, rejects',
  ],
  [
    'a program that a command may run',
    of('program', 'node_modules/.bin/x', file('a')),
    of('program', 'node_modules/.bin/x', file('b')),
    'The program node_modules/.bin/x was changed, and a Verify command of the plan may run it',
    'told',
  ],
  ['a branch that went', refs({ 'refs/heads/a': A }), refs({}), 'The branch a was removed', 'put back, rejects'],
  [
    'a tag that moved',
    refs({ 'refs/tags/v1': A }),
    refs({ 'refs/tags/v1': B }),
    `The tag v1 was moved to ${B.slice(0, 8)}`,
    'put back, rejects',
  ],
  ['a new branch', refs({}), refs({ 'refs/heads/a': A }), 'The branch a was created', 'told'],
  [
    'a replacement of a commit',
    refs({}),
    refs({ [`refs/replace/${A}`]: B }),
    `The ref refs/replace/${A} was created`,
    'put back, rejects',
  ],
  [
    'a branch that another worktree is on',
    refs({ 'refs/heads/a': A }, ['refs/heads/a']),
    refs({ 'refs/heads/a': B }, ['refs/heads/a']),
    `The branch a was moved to ${B.slice(0, 8)}; another worktree is on it`,
    'told',
  ],
  [
    'a stash entry that went',
    stash('two', 'one'),
    stash('one'),
    'An entry of the stash was removed: "two"',
    'put back, rejects',
  ],
  [
    'all stash entries',
    stash('two', 'one'),
    stash(),
    '2 entries of the stash were removed: "two", "one"',
    'put back, rejects',
  ],
  [
    'one of two equal stash entries',
    stash('one', 'one'),
    stash('one'),
    'An entry of the stash was removed: "one"',
    'put back, rejects',
  ],
  ['a stash entry that came', stash('one'), stash('two', 'one'), 'An entry was added to the stash: "two"', 'told'],
  [
    'a flag that hides changes',
    flags(),
    flags('a.txt'),
    'Changes of a.txt were hidden from git (skip-worktree)',
    'put back, rejects',
  ],
  [
    'a flag that was cleared',
    flags('a.txt'),
    flags(),
    'The flag skip-worktree of a.txt was cleared',
    'put back, rejects',
  ],
])('what becomes of %s (R-VER-14)', (_, before, after, text, fate) => {
  expect(fates(before, after)).toEqual([[text, fate]]);
});

test.each<[string, Picture, Picture]>([
  ['nothing at all', EMPTY, EMPTY],
  ['settings written in another form', config('[a]\n\tb = 1\n'), config('# new\n[A]\n  B = 1')],
  [
    'a mode that means nothing to git',
    of('rules', '.git/info/exclude', file('a')),
    of('rules', '.git/info/exclude', file('a', { mode: 0o755 })),
  ],
  ['a mode of a hook that runs all the same', hook('a', 0o755), hook('a', 0o775)],
  ['flags of a tree that was not looked at before', { ...EMPTY, flags: {} }, flags('a.txt')],
])('%s is no difference (R-VER-14)', (_, before, after) => {
  expect(fates(before, after)).toEqual([]);
});

test('where the user has hooks, one that is added is taken out again, as it would run with them (R-VER-14, R-ADV-1)', () => {
  const before = hook('a');
  const after: Picture = {
    ...before,
    files: {
      ...before.files,
      '/r/.git/hooks/post-commit': { use: 'hook', shown: '.git/hooks/post-commit', seen: file('b', { mode: 0o755 }) },
    },
  };
  expect(fates(before, after)).toEqual([['The hook .git/hooks/post-commit was added', 'put back, told']]);
  expect(compare(before, after, nowhere).hooksPath).toBe('/r/.git/hooks');
  const elsewhere: Picture = { ...before, files: { ...before.files, ...config('[core]\nhooksPath=h').files } };
  expect(fates({ ...before, files: { ...before.files, ...config('').files } }, elsewhere)).toEqual([
    ['The git setting core.hookspath was added in .git/config', 'put back, rejects'],
  ]);
});

test.each([
  ['a hook', hook(), hook('a')],
  ['core.hooksPath', config(''), config('[core]\nhooksPath=h')],
])('after %s was set up our commits run without hooks (R-VER-14)', (_, before, after) => {
  expect(compare(before, after, nowhere).hooksPath).toBe('/dev/null');
  expect(compare(after, after, nowhere).hooksPath).toBeUndefined();
});

test('what Files of a task name is reported, and stays (R-VER-14)', () => {
  expect(fates(of('settings', 's.yaml'), of('settings', 's.yaml', file('a')), (path) => path === 's.yaml')).toEqual([
    ['The settings file s.yaml was added, as Files names it', 'told'],
  ]);
});

test('a file tells in which tree it is, and what all share has none (R-VER-14)', () => {
  expect(
    compare(of('settings', 's.yaml', undefined, '/m'), of('settings', 's.yaml', file('a'), '/m'), nowhere)
      .differences[0]?.tree,
  ).toBe('/m');
  expect(compare(hook('a'), hook('b'), nowhere).differences[0]?.tree).toBeUndefined();
});

test('stash entries that went come back below those that came (R-VER-14)', () => {
  const { differences, stashed } = compare(stash('one'), stash('two'), nowhere);
  expect(differences[0]?.undo).toEqual({ what: 'stash', entries: [...stash('two', 'one').stash] });
  expect(stashed).toEqual(stash('two').stash);
});

test('what was in the tree of a member that has gone counts as gone with it (R-VER-14, R-PAR-3)', () => {
  const before = of('settings', 's.yaml', file('a'), '/m');
  expect(fates(partOf(before, EMPTY), EMPTY)).toEqual([]);
});

test('after a kill a ref that moved or came stays, and what went comes back (R-VER-14)', () => {
  const before = refs({ 'refs/heads/gone': A, 'refs/heads/moved': A });
  const now = refs({ 'refs/heads/moved': B, [`refs/replace/${A}`]: B });
  const comparison = compare(before, now, nowhere);
  expect(undosAfterKill(comparison, now)).toEqual([{ what: 'ref', name: 'refs/heads/gone', to: A }]);
  expect(sentencesAfterKill(comparison, now, { isPutBack: true })).toEqual([
    'The branch gone was removed; it was put back.',
    `The branch moved was moved to ${B.slice(0, 8)}; it was not undone, as it may be your own work.`,
    `The ref refs/replace/${A} was created; it was not undone, as it may be your own work.`,
  ]);
});

test('after a kill settings are put back as after any work (R-VER-14)', () => {
  const [before, now] = [config('[a]\nb=1'), config('[a]\nb=2\n[alias]\nc=d')];
  const comparison = compare(before, now, nowhere);
  expect(undosAfterKill(comparison, now)).toEqual([{ what: 'file', path: '/r/.git/config' }]);
  expect(sentencesAfterKill(comparison, now, { isPutBack: true })).toEqual([
    'The git setting a.b was changed in .git/config; it was put back.',
    'The git setting alias.c was added in .git/config.',
  ]);
  expect(sentencesAfterKill(comparison, now, { isPutBack: false })[0]).toBe(
    'The git setting a.b was changed in .git/config.',
  );
});
