import {
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { codeOf } from './disk.ts';
import { storageFault } from './storage-fault.ts';

/** The folder of a spec as it is to stay while a run is at work: where it is, and below which folder it may be put back. */
export interface OwnPlace {
  /** Whether the folder's path leads to itself and not, over a link, to another folder. True if nothing is there. */
  isInPlace(): boolean;
  /**
   * Puts the folder back in its place: a link or a file that took its place, or that of a folder above it, goes, and the
   * folder itself comes back from where the link leads, if it was moved there. Says what was done, one sentence each.
   * Throws `StorageFault`.
   */
  takeBack(): readonly string[];
  /** Clears the way for a file that is to be written: a link, pipe or socket there goes, a folder gets another name. Throws `StorageFault`. */
  clearWayFor(file: string): void;
}

/** `dir` is absolute, with links resolved, and `root` or below it: nothing outside of `root` is touched (R-SEC-1, R-VER-3). */
export function ownPlace(dir: string, root: string): OwnPlace {
  const parts = foldersBetween(root, dir);
  const known = new Map(parts.map((part) => [part, folderAt(part)]));
  return {
    isInPlace: () => parts.every((part) => lookAt(part)?.isDirectory() ?? true),
    takeBack: () => parts.flatMap((part) => putBack(part, { before: known.get(part), shown: relative(root, part) })),
    clearWayFor: (file) => clearWay(file),
  };
}

/** The folders from below `root` down to `dir`. */
function foldersBetween(root: string, dir: string): readonly string[] {
  if (dir === root) return [];
  const names = relative(root, dir).split(sep);
  return names.map((_, depth) => join(root, ...names.slice(0, depth + 1)));
}

interface Folder {
  /** How it was when the run began. */
  readonly before: Stats | undefined;
  readonly shown: string;
}

function putBack(path: string, { before, shown }: Folder): readonly string[] {
  try {
    const now = lookAt(path);
    if (now?.isDirectory()) return [];
    if (now === undefined) {
      mkdirSync(path);
      return [`The folder ${shown} was missing; it was created again.`];
    }
    if (!now.isSymbolicLink()) {
      renameSync(path, freeName(path));
      mkdirSync(path);
      return [`A file had replaced the folder ${shown}; the folder was restored.`];
    }
    const moved = movedTo(path, before);
    unlinkSync(path);
    if (moved === undefined) mkdirSync(path);
    else renameSync(moved, path);
    return [`A link had replaced the folder ${shown}; the folder was restored.`];
  } catch (error) {
    throw storageFault(error, 'write', path);
  }
}

/** Where the folder itself is now, if the link leads there. */
function movedTo(link: string, before: Stats | undefined): string | undefined {
  const target = statSync(link, { throwIfNoEntry: false });
  const isSame = before !== undefined && target?.dev === before.dev && target.ino === before.ino;
  return isSame ? realpathSync.native(link) : undefined;
}

function clearWay(path: string): void {
  try {
    const now = lookAt(path);
    if (now === undefined || now.isFile()) return;
    if (!now.isDirectory()) unlinkSync(path);
    else if (readdirSync(path).length > 0) renameSync(path, freeName(path));
    else rmdirSync(path);
  } catch (error) {
    throw storageFault(error, 'write', path);
  }
}

/** A name next to the path that nothing has; not one that the ignore entries of private files match. */
function freeName(path: string): string {
  for (let n = 1; ; n++) {
    const name = join(dirname(path), `replaced-${n}-${basename(path)}`);
    if (lookAt(name) === undefined) return name;
  }
}

/** A link is none: what it leads to is someone else's. */
function folderAt(path: string): Stats | undefined {
  const found = lookAt(path);
  return found?.isDirectory() ? found : undefined;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw storageFault(error, 'read', path);
  }
}
