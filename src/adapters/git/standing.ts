import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { isMissing } from './git-folder.ts';
import { bytesOfPath } from './path-bytes.ts';

/**
 * How a path stands in the tree, as far as staging it goes: `file` also for a symbolic link, `absent` when nothing is
 * there, `hidden` when a link or a file stands where its folder was, `repository` for a folder with a `.git` of its own,
 * `other` for what git cannot hold (a folder in place of a file, a socket).
 */
export type Standing = 'file' | 'absent' | 'hidden' | 'repository' | 'other';

type FolderStanding = 'folder' | 'absent' | 'hidden';

/** The standing of each path. A `/` at the end of a path is no part of its name. */
export async function standings(tree: Tree, paths: readonly string[]): Promise<ReadonlyMap<string, Standing>> {
  const known = new Map<string, Promise<FolderStanding>>();
  const folder = (path: string): Promise<FolderStanding> => {
    const answer = known.get(path) ?? folderStanding(tree, path, folder);
    known.set(path, answer);
    return answer;
  };
  const found = paths.map(async (path) => [path, await standing(tree, nameOf(path), folder)] as const);
  return new Map(await Promise.all(found));
}

/** A path without the `/` that marks a repository inside the tree. */
export function nameOf(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The bytes of a path's absolute name. */
export function fileOf(tree: Tree, path: string): Buffer {
  return bytesOfPath(join(tree.dir, path));
}

async function standing(
  tree: Tree,
  path: string,
  folder: (path: string) => Promise<FolderStanding>,
): Promise<Standing> {
  const parent = await folder(parentOf(path));
  if (parent !== 'folder') return parent;
  const stats = await lookAt(tree, path);
  if (stats === undefined) return 'absent';
  if (stats.isFile() || stats.isSymbolicLink()) return 'file';
  return stats.isDirectory() && (await lookAt(tree, `${path}/.git`)) !== undefined ? 'repository' : 'other';
}

async function folderStanding(
  tree: Tree,
  path: string,
  folder: (path: string) => Promise<FolderStanding>,
): Promise<FolderStanding> {
  if (path === '') return 'folder';
  const parent = await folder(parentOf(path));
  if (parent !== 'folder') return parent;
  const stats = await lookAt(tree, path);
  if (stats === undefined) return 'absent';
  return stats.isDirectory() ? 'folder' : 'hidden';
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

async function lookAt(tree: Tree, path: string): Promise<Stats | undefined> {
  try {
    return await lstat(fileOf(tree, path));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
