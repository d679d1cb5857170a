import { accessSync, constants } from 'node:fs';
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import type { Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { foldersAbove } from './files.ts';
import { fileOf, nameOf } from './path-kinds.ts';

/** What the owner needs to read a file, and to work in a folder. */
const OWNER = { file: 0o600, folder: 0o700 } as const;

/**
 * Does it, and once more with the rights that it lacked: an attempt may have left files that cannot be read, or folders
 * that nothing can be removed from (R-ADV-6). Only the modes of these paths, and of the folders they are in, are changed.
 */
export async function withRights<Result>(
  tree: Tree,
  paths: readonly string[],
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!isDenied(error)) throw error;
    await giveRights(tree, paths);
    return await act();
  }
}

/** Gives the owner the rights to the paths, to what is below them, and to the folders they are in. What belongs to others stays as it is. */
export async function giveRights(tree: Tree, paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map(nameOf).flatMap(foldersAbove));
  for (const folder of [...folders].sort((a, b) => a.length - b.length)) await give(fileOf(tree, folder));
  for (const path of paths) await giveBelow(fileOf(tree, nameOf(path)));
}

/** Those of the paths that are files which cannot be read. */
export function unreadableAmong(tree: Tree, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => {
    try {
      accessSync(fileOf(tree, nameOf(path)), constants.R_OK);
      return false;
    } catch (error) {
      return isDenied(error);
    }
  });
}

/** Removes a file or folder with all that is in it, also where a folder below it is read-only. One that is gone is no failure. */
export async function removeAll(path: string | Buffer): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!isDenied(error)) throw error;
    await giveBelow(Buffer.from(path));
    await remove();
  }
}

async function giveBelow(path: Buffer): Promise<void> {
  if ((await give(path)) !== 'folder') return;
  const names = await readdir(path, { encoding: 'buffer' }).catch(() => []);
  for (const name of names) await giveBelow(Buffer.concat([path, Buffer.from('/'), name]));
}

/** No more than is lacking; a link is not followed. */
async function give(path: Buffer): Promise<'folder' | 'other'> {
  const stats = await lstat(path).catch(() => undefined);
  const kind = stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : undefined;
  if (stats === undefined || kind === undefined) return 'other';
  const lacking = OWNER[kind] & ~stats.mode;
  if (lacking !== 0) await chmod(path, (stats.mode & 0o7777) | lacking).catch(() => undefined);
  return kind === 'folder' ? 'folder' : 'other';
}

/** Whether an error says that a right is lacking. */
export function isDenied(error: unknown): boolean {
  if (error instanceof GitFault) return error.kind === 'not-writable';
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}
