import { gitSettings, HOOKS_PATH, isDeciding } from './git-settings.ts';
import type { IndexFlag, Picture, PicturedFile, SeenFile, StashEntry } from './picture.ts';

/** How one difference is put back. */
export type Undo =
  | { readonly what: 'file'; readonly path: string }
  /** Without `to` the ref is removed. */
  | { readonly what: 'ref'; readonly name: string; readonly to?: string }
  /** The entries that were there come back, below those that came. */
  | { readonly what: 'stash'; readonly entries: readonly StashEntry[] }
  | {
      readonly what: 'flags';
      readonly tree: string;
      readonly clear: readonly IndexFlag[];
      readonly set: readonly IndexFlag[];
    };

/** One thing that is not as it was. */
export interface Difference {
  /** A sentence without its end: what happened. */
  readonly text: string;
  /** Whether it would change a verdict, or lose something of the user's: then the attempt is rejected (R-VER-14). */
  readonly rejects: boolean;
  /** The folder of the working tree in which it happened; absent for what all trees share. */
  readonly tree?: string;
  readonly undo?: Undo;
}

export interface Comparison {
  readonly differences: readonly Difference[];
  /** Where our own commits take hooks from, when hooks were set up that were not there before. */
  readonly hooksPath?: string;
  /** Entries of the stash that came. */
  readonly stashed: readonly StashEntry[];
}

/** Whether a path, relative to a working tree's root, is named by *Files* of a task at work. */
export type IsNamed = (path: string) => boolean;

const NO_HOOKS = '/dev/null';

/**
 * What differs between two pictures (R-VER-14). What was there and changed or went is put back and rejects; what came new
 * is reported, unless it decides what is committed. New hooks stay, but our commits run without them: a person has not seen
 * them yet.
 */
export function compare(before: Picture, after: Picture, isNamed: IsNamed): Comparison {
  const paths = Object.keys({ ...before.files, ...after.files });
  const changed = paths.filter((path) => !isSame(before.files[path], after.files[path]));
  const files = changed.flatMap((path) => fileDifferences(path, { before, after, isNamed }));
  const hooksPath = plantedHooks(changed, before, after);
  const { difference, came } = stashDifference(before.stash, after.stash);
  return {
    differences: [
      ...files,
      ...refDifferences(before, after),
      ...(difference ? [difference] : []),
      ...came.map(({ message }) => reported(`An entry was added to the stash: "${message}"`)),
      ...Object.keys(after.flags).flatMap((tree) => flagDifferences(tree, before, after)),
    ],
    ...(hooksPath === undefined ? {} : { hooksPath }),
    stashed: came,
  };
}

interface PicturePair {
  readonly before: Picture;
  readonly after: Picture;
  readonly isNamed: IsNamed;
}

function isSame(before: PicturedFile | undefined, after: PicturedFile | undefined): boolean {
  const [a, b] = [before?.seen, after?.seen];
  if (a === undefined || b === undefined) return a === b;
  return a.bytes === b.bytes && a.link === b.link && (isExecutable(a) === isExecutable(b) || !hasMode(before, after));
}

function isExecutable({ mode }: SeenFile): boolean {
  return (mode & 0o111) !== 0;
}

/** Of git's own files the mode says nothing. */
function hasMode(before: PicturedFile | undefined, after: PicturedFile | undefined): boolean {
  const use = (before ?? after)?.use;
  return use === 'hook' || use === 'program';
}

function fileDifferences(path: string, { before, after, isNamed }: PicturePair): readonly Difference[] {
  const file = before.files[path] ?? after.files[path];
  if (file === undefined) return [];
  const [was, is] = [before.files[path]?.seen, after.files[path]?.seen];
  const at = file.tree === undefined ? {} : { tree: file.tree };
  const undo = { what: 'file', path } as const;
  if (isNamed(file.shown)) return [{ text: `${sentence(file, was, is)}, as Files names it`, rejects: false, ...at }];
  switch (file.use) {
    case 'config':
      return configDifferences(file.shown, { was, is, hadHooks: hasHooks(before) }).map((found) => ({
        ...found,
        ...at,
        ...(found.rejects && { undo }),
      }));
    case 'hook':
      if (was !== undefined) return [{ text: sentence(file, was, is), rejects: true, ...at, undo }];
      // With hooks of the user there is no way to leave out the new one alone.
      return [{ text: sentence(file, was, is), rejects: false, ...at, ...(hasHooks(before) && { undo }) }];
    case 'program':
      return [
        { text: `${sentence(file, was, is)}, and a Verify command of the plan may run it`, rejects: false, ...at },
      ];
    case 'rules':
    case 'settings':
    case 'trust':
      return [{ text: sentence(file, was, is), rejects: true, ...at, undo }];
  }
}

const NOUNS = {
  config: '',
  rules: '',
  hook: 'The hook ',
  settings: 'The settings file ',
  program: 'The program ',
  trust: '',
} as const;

function sentence({ use, shown }: PicturedFile, was: SeenFile | undefined, is: SeenFile | undefined): string {
  const what = `${NOUNS[use]}${shown}`;
  if (was === undefined) return `${what} was added`;
  if (is === undefined) return `${what} was removed`;
  if (was.bytes === is.bytes && was.link === is.link)
    return `${what} was made ${isExecutable(is) ? 'executable' : 'not executable'}`;
  return `${what} was changed`;
}

/**
 * A setting that changed or went is the user's; a new one is reported, or rejects where it decides what is committed. To
 * lead git to other hooks is setting up only where there were none.
 */
function configDifferences(
  shown: string,
  {
    was,
    is,
    hadHooks,
  }: { readonly was: SeenFile | undefined; readonly is: SeenFile | undefined; readonly hadHooks: boolean },
): readonly Difference[] {
  const [old, now] = [gitSettings(was?.bytes ?? ''), gitSettings(is?.bytes ?? '')];
  const keys = [...new Set([...old.keys(), ...now.keys()])].filter(
    (key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)),
  );
  return keys.map((key) => {
    const [had, has] = [old.has(key), now.has(key)];
    const text = `The git setting ${key} was ${had ? (has ? 'changed' : 'removed') : 'added'} in ${shown}`;
    return { text, rejects: had || (isDeciding(key) && (key !== HOOKS_PATH || hadHooks)) };
  });
}

function hasHooks({ files, hooksFolder }: Picture): boolean {
  return Object.entries(files).some(
    ([path, { use, seen }]) =>
      use === 'hook' && seen !== undefined && isExecutable(seen) && path.startsWith(`${hooksFolder}/`),
  );
}

/** Where our commits take hooks from after an install: where they were, or nowhere, as there were none. */
function plantedHooks(changed: readonly string[], before: Picture, after: Picture): string | undefined {
  const isNew = (path: string) => before.files[path]?.seen === undefined;
  const planted = changed.some((path) => after.files[path]?.use === 'hook' && isNew(path));
  const redirected = changed.some((path) => {
    if (after.files[path]?.use !== 'config') return false;
    const settings = (picture: Picture) => gitSettings(picture.files[path]?.seen?.bytes ?? '');
    return settings(after).has(HOOKS_PATH) && !settings(before).has(HOOKS_PATH);
  });
  if (!planted && !redirected) return undefined;
  return hasHooks(before) ? before.hooksFolder : NO_HOOKS;
}

/** Branches and tags that were removed or moved are put back; a branch that is checked out in another worktree may be moved by its user. */
function refDifferences(before: Picture, after: Picture): readonly Difference[] {
  const checkedOut = new Set([...before.elsewhere, ...after.elsewhere]);
  const names = Object.keys({ ...before.refs, ...after.refs }).filter((name) => before.refs[name] !== after.refs[name]);
  return names.map((name) => {
    const [was, is] = [before.refs[name], after.refs[name]];
    if (was === undefined) {
      // A replacement changes what every commit says.
      const replaces = name.startsWith('refs/replace/');
      return {
        text: `${shownRef(name)} was created`,
        rejects: replaces,
        ...(replaces && { undo: { what: 'ref', name } as const }),
      };
    }
    const text = `${shownRef(name)} was ${is === undefined ? 'removed' : `moved to ${shortOf(is)}`}`;
    if (checkedOut.has(name)) return reported(`${text}; another worktree is on it`);
    return { text, rejects: true, undo: { what: 'ref', name, to: was } as const };
  });
}

function shownRef(name: string): string {
  const [, kind, short] = /^refs\/(heads|tags)\/(.+)$/.exec(name) ?? [];
  return kind === undefined ? `The ref ${name}` : `The ${kind === 'heads' ? 'branch' : 'tag'} ${short}`;
}

function shortOf(target: string): string {
  return target.replace(/^([0-9a-f]{8})[0-9a-f]+$/, '$1');
}

function stashDifference(
  before: readonly StashEntry[],
  after: readonly StashEntry[],
): { readonly difference?: Difference; readonly came: readonly StashEntry[] } {
  const came = without(after, before);
  const gone = without(before, after);
  if (gone.length === 0) return { came };
  const text = `${gone.length === 1 ? 'An entry' : `${gone.length} entries`} of the stash ${gone.length === 1 ? 'was' : 'were'} removed: ${gone.map(({ message }) => `"${message}"`).join(', ')}`;
  return { difference: { text, rejects: true, undo: { what: 'stash', entries: [...came, ...before] } }, came };
}

/** The entries of one list that another one lacks, equal ones counted. */
function without(list: readonly StashEntry[], other: readonly StashEntry[]): readonly StashEntry[] {
  const left = other.map(({ commit }) => commit);
  return list.filter(({ commit }) => {
    const at = left.indexOf(commit);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function flagDifferences(tree: string, before: Picture, after: Picture): readonly Difference[] {
  const [was, is] = [before.flags[tree], after.flags[tree] ?? []];
  if (was === undefined) return [];
  const has = (list: readonly IndexFlag[]) => new Set(list.map(({ path, flag }) => `${flag} ${path}`));
  const [old, now] = [has(was), has(is)];
  const clear = is.filter(({ path, flag }) => !old.has(`${flag} ${path}`));
  const set = was.filter(({ path, flag }) => !now.has(`${flag} ${path}`));
  if (clear.length === 0 && set.length === 0) return [];
  const undo = { what: 'flags', tree, clear, set } as const;
  return [
    ...clear.map(({ path, flag }) => ({
      text: `Changes of ${path} were hidden from git (${flag})`,
      rejects: true,
      tree,
    })),
    ...set.map(({ path, flag }) => ({ text: `The flag ${flag} of ${path} was cleared`, rejects: true, tree })),
  ].map((difference, at) => (at === 0 ? { ...difference, undo } : difference));
}

/** A difference that stays, and that a reviewer and a person read of. */
function reported(text: string): Difference {
  return { text, rejects: false };
}

/** A difference as a sentence for people; `isPutBack` is false where not all of it could be put back. */
export function sentenceOf({ text, rejects, undo }: Difference, isPutBack = true): string {
  if (!rejects && undo === undefined) return `${text}.`;
  return isPutBack ? `${text}; it was put back.` : `${text}.`;
}
