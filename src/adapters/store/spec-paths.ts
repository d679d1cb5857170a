import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { codeOf } from './disk.ts';
import { storageFault } from './storage-fault.ts';

/** The names of those entries of a folder that are wanted, sorted; none without it. Throws `StorageFault`. */
export function entriesIn(root: string, isWanted: (entry: Dirent) => boolean): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter(isWanted)
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw storageFault(error, 'read', root);
  }
}

/** Whether there is a folder, links followed. */
export function isFolder(path: string): boolean {
  return ifThere(() => statSync(path))?.isDirectory() ?? false;
}

/** Whether there is a plain file, links followed. */
export function isFile(path: string): boolean {
  return ifThere(() => statSync(path))?.isFile() ?? false;
}

/** What the system says of a path; `undefined` if nothing can be there, be it that a link of it leads to itself. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** The path with its links resolved; `undefined` if nothing is there. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // It is not there, or a link of it leads nowhere.
  }
}

/** Whether a path is inside a folder, by segments: `/a/bc` is not below `/a/b`. */
export function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A path relative to the repository, with slashes on every system. */
export function pathFrom(repository: string, path: string): string {
  return relative(repository, path).split(sep).join('/');
}
