import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { isMissing } from './git-folder.ts';
import { bytesOfPath } from './path-bytes.ts';

/**
 * The state of a path in the tree, as far as staging it goes: `file` also for a symbolic link, `absent` when nothing is
 * there, `hidden` when a link or a file is where its folder was, `repository` for a folder with a `.git` of its own,
 * `other` for what git cannot hold (a folder in place of a file, a socket).
 */
export type PathKind = 'file' | 'absent' | 'hidden' | 'repository' | 'other';

type FolderKind = 'folder' | 'absent' | 'hidden';

/** What each path is, looked at all at once. A `/` at the end of a path is no part of its name. */
export function pathKinds(tree: Tree, paths: readonly string[]): ReadonlyMap<string, PathKind> {
  const known = new Map<string, FolderKind>();
  const folder = (path: string): FolderKind => {
    const answer = known.get(path) ?? folderKind(tree, path, folder);
    known.set(path, answer);
    return answer;
  };
  return new Map(paths.map((path) => [path, pathKind(tree, nameOf(path), folder)]));
}

/** A path without the `/` that marks a repository inside the tree. */
export function nameOf(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The bytes of a path's absolute name. */
export function fileOf(tree: Tree, path: string): Buffer {
  return bytesOfPath(join(tree.dir, path));
}

function pathKind(tree: Tree, path: string, folder: (path: string) => FolderKind): PathKind {
  const parent = folder(parentOf(path));
  if (parent !== 'folder') return parent;
  const stats = lookAt(tree, path);
  if (stats === undefined) return 'absent';
  if (stats.isFile() || stats.isSymbolicLink()) return 'file';
  return stats.isDirectory() && lookAt(tree, `${path}/.git`) !== undefined ? 'repository' : 'other';
}

function folderKind(tree: Tree, path: string, folder: (path: string) => FolderKind): FolderKind {
  if (path === '') return 'folder';
  const parent = folder(parentOf(path));
  if (parent !== 'folder') return parent;
  const stats = lookAt(tree, path);
  if (stats === undefined) return 'absent';
  return stats.isDirectory() ? 'folder' : 'hidden';
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** That a folder on the way is none throws, where that nothing is there does not. */
function lookAt(tree: Tree, path: string): Stats | undefined {
  try {
    return lstatSync(fileOf(tree, path), { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
