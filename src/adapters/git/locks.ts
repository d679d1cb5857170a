import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Tree } from '../../ports/git.ts';
import { programOutside } from '../program/program-outside.ts';
import { commonFolderOf, gitFolderOf, isMissing } from './git-folder.ts';

/** Which lock files may be removed. */
export interface StaleLocks {
  /** Only locks that were made longer ago than this, in milliseconds. */
  readonly olderThanMs: number;
  /** Whether some git may be at work in the repository; default: a look at the system's processes. */
  readonly aliveGit?: () => boolean | Promise<boolean>;
}

const LOCK_IN_FOLDER = /^(index|HEAD|packed-refs|config|shallow|ORIG_HEAD|next-index-\d+)\.lock$/;
/** Those that each tree has for itself. */
const OF_TREE = /^(index|HEAD|ORIG_HEAD|next-index-\d+)\.lock$/;
const OURS = /^specloop-(index|paths)-[0-9a-f]{16}(\.lock)?$/;

/**
 * Removes the lock files (and temporary files of ours) that a crash left in the repository, and returns their absolute
 * paths. Nothing is removed while a git is at work there. The caller holds the run's lock and has ended what its last
 * run left running: only then does a lock without a git process belong to no one.
 */
export async function clearStaleLocks(
  commonDir: string,
  { olderThanMs, aliveGit }: StaleLocks,
): Promise<readonly string[]> {
  const found = await locksIn(commonDir);
  const old = await olderThan(found, olderThanMs);
  if (old.length === 0 || (await (aliveGit ?? (() => gitWorksIn(commonDir)))())) return [];
  await Promise.all(old.map((path) => rm(path, { force: true })));
  return old;
}

/**
 * The same for one working tree whose agent or command has ended: the locks of the tree itself, and those of what all
 * trees share (R-ADV-6). Those of other trees stay.
 */
export async function clearLocksOf(tree: Tree): Promise<void> {
  const folder = await gitFolderOf(tree).catch(() => undefined);
  if (folder === undefined) return; // What became of it is for others to say.
  const common = await commonFolderOf(folder);
  const own = await locksInFolder(folder);
  const shared = folder === common ? [] : (await locksInFolder(common)).filter((path) => !OF_TREE.test(basename(path)));
  const found = await stamped([...own, ...shared, ...(await locksOfRefs(common))]);
  if (found.length === 0 || (await gitWorksIn(common))) return;
  const still = new Set((await stamped(found.map(({ path }) => path))).map(({ stamp }) => stamp));
  await Promise.all(found.filter(({ stamp }) => still.has(stamp)).map(({ path }) => rm(path, { force: true })));
}

/** Each file that is there, with what tells it from one that takes its place. */
async function stamped(
  paths: readonly string[],
): Promise<readonly { readonly path: string; readonly stamp: string }[]> {
  const stamps = paths.map(async (path) => {
    const stats = await stat(path).catch(ifMissing(undefined));
    return stats === undefined ? [] : [{ path, stamp: `${path} ${stats.ino} ${stats.ctimeMs}` }];
  });
  return (await Promise.all(stamps)).flat();
}

async function locksIn(commonDir: string): Promise<readonly string[]> {
  const folders = [commonDir, ...(await worktreeFolders(commonDir))];
  const own = await Promise.all(
    folders.map(async (folder) => [
      ...(await locksInFolder(folder)),
      ...(await namesIn(folder)).filter((name) => OURS.test(name)).map((name) => join(folder, name)),
    ]),
  );
  return [...own.flat(), ...(await locksOfRefs(commonDir))];
}

async function locksInFolder(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => LOCK_IN_FOLDER.test(name)).map((name) => join(folder, name));
}

async function locksOfRefs(commonDir: string): Promise<readonly string[]> {
  const refs = await readdir(join(commonDir, 'refs'), { recursive: true }).catch(ifMissing([]));
  return refs.filter((name) => name.endsWith('.lock')).map((name) => join(commonDir, 'refs', name));
}

async function worktreeFolders(commonDir: string): Promise<readonly string[]> {
  return (await namesIn(join(commonDir, 'worktrees'))).map((name) => join(commonDir, 'worktrees', name));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(ifMissing([]));
}

async function olderThan(paths: readonly string[], ms: number): Promise<readonly string[]> {
  const now = Date.now();
  const checked = paths.map(async (path) => {
    const stats = await stat(path).catch(ifMissing(undefined));
    return stats !== undefined && now - Math.floor(stats.mtimeMs) >= ms ? [path] : [];
  });
  return (await Promise.all(checked)).flat();
}

/** Whether a git has one of the repository's working trees, or its private folder, for its folder. */
export async function gitWorksIn(commonDir: string): Promise<boolean> {
  const pointers = (await worktreeFolders(commonDir)).map((folder) =>
    readFile(join(folder, 'gitdir'), 'utf8').catch(ifMissing('')),
  );
  const worktrees = (await Promise.all(pointers)).filter((text) => text !== '').map((text) => dirname(text.trimEnd()));
  return isAtWork([commonDir, ...(basename(commonDir) === '.git' ? [dirname(commonDir)] : []), ...worktrees]);
}

/** Whether a process named git runs in or below one of the folders; where that cannot be seen, whether any runs at all. */
async function isAtWork(folders: readonly string[]): Promise<boolean> {
  const ids = (await namesIn('/proc')).filter((name) => /^\d+$/.test(name));
  if (ids.length === 0) return await psShowsGit(folders);
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(ifMissing(folder))));
  return (await Promise.all(ids.map((id) => isGitIn(id, real)))).includes(true);
}

/** Where there is no `ps` that can be relied on, some git may be at work. */
async function psShowsGit([workspace = '/']: readonly string[]): Promise<boolean> {
  const ps = programOutside('ps', { path: process.env.PATH, workspace });
  if (ps === undefined) return true;
  return /^(.*\/)?git(-.*)?$/m.test((await promisify(execFile)(ps, ['-A', '-o', 'comm='])).stdout);
}

/** Another user's git does not show its folder; it is taken for one that works here. */
async function isGitIn(id: string, folders: readonly string[]): Promise<boolean> {
  const name = await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '');
  if (!/^git(-|\n)/.test(name)) return false;
  try {
    const at = await readlink(`/proc/${id}/cwd`);
    return folders.some((folder) => at === folder || at.startsWith(`${folder}/`));
  } catch (error) {
    return !isMissing(error) && (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (isMissing(error)) return value;
    throw error;
  };
}
