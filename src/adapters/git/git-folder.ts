import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Operation, Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';

/*
 * These few bytes are read at once: on a busy machine a turn through the thread pool takes longer than the file, and git is
 * asked after each task.
 */

/** Absolute path of the private git folder of one working tree: `.git`, or what a worktree's `.git` file names. */
export async function gitFolderOf({ dir }: Tree): Promise<string> {
  const path = join(dir, '.git');
  const kind = statSync(path, { throwIfNoEntry: false });
  if (kind?.isDirectory()) return path;
  const target = kind === undefined ? undefined : /^gitdir: (.+?)\n?$/s.exec(readFileSync(path, 'utf8'))?.[1];
  if (target === undefined)
    throw new GitFault('other', `${dir} is not a working tree of git: its .git is missing or damaged.`);
  return resolve(dir, target);
}

/** Absolute path of the folder that all worktrees share, from the private folder of any of them. */
export async function commonFolderOf(gitFolder: string): Promise<string> {
  const shared = readIfThere(join(gitFolder, 'commondir'));
  return shared === undefined ? gitFolder : resolve(gitFolder, shared.trimEnd());
}

/** The nearest working tree upward from a folder, and the folder that all its worktrees share, from files alone: git's settings may be damaged. */
export async function repositoryAround(
  dir: string,
): Promise<{ readonly root: string; readonly commonDir: string } | undefined> {
  for (let root = resolve(dir); ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) {
      const folder = await gitFolderOf({ dir: root }).catch(() => undefined);
      return folder === undefined ? undefined : { root, commonDir: await commonFolderOf(folder) };
    }
    if (root === dirname(root)) return undefined;
  }
}

/** The operation that was begun in this working tree and not ended (R-START-2). */
export async function operationIn(gitFolder: string): Promise<Operation | undefined> {
  const names = new Set(readdirSync(gitFolder));
  if (names.has('rebase-merge')) return 'rebase';
  if (names.has('rebase-apply'))
    return readIfThere(join(gitFolder, 'rebase-apply/applying')) === undefined ? 'rebase' : 'am';
  if (names.has('MERGE_HEAD')) return 'merge';
  if (names.has('CHERRY_PICK_HEAD')) return 'cherry-pick';
  if (names.has('REVERT_HEAD')) return 'revert';
  if (names.has('sequencer'))
    return readIfThere(join(gitFolder, 'sequencer/todo'))?.startsWith('revert') ? 'revert' : 'cherry-pick';
  return names.has('BISECT_LOG') ? 'bisect' : undefined;
}

/** The branch HEAD is on, as a full ref; `undefined` when it is detached or not kept in a plain file. */
export async function branchRefIn(gitFolder: string): Promise<string | undefined> {
  const ref = /^ref: (refs\/heads\/.+?)\n?$/s.exec(readIfThere(join(gitFolder, 'HEAD')) ?? '')?.[1];
  return ref === 'refs/heads/.invalid' ? undefined : ref;
}

/** The commit a loose ref file (or a detached HEAD) holds; `undefined` where only git can tell. */
export async function looseCommit(file: string): Promise<string | undefined> {
  return /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/.exec(readIfThere(file) ?? '')?.[1];
}

/** Whether the files of the shared folder show that there is no such ref, so that git need not be asked. `ref` is the whole name. */
export async function lacksRef(commonFolder: string, ref: string): Promise<boolean> {
  if (readIfThere(join(commonFolder, ref)) !== undefined) return false;
  if (existsSync(join(commonFolder, 'reftable'))) return false;
  const packed = readIfThere(join(commonFolder, 'packed-refs'));
  return packed === undefined || !`${packed}\n`.includes(` ${ref}\n`);
}

/** The same for all refs below a prefix that ends in `/`. */
export async function lacksRefsBelow(commonFolder: string, prefix: string): Promise<boolean> {
  if (existsSync(join(commonFolder, prefix)) || existsSync(join(commonFolder, 'reftable'))) return false;
  return !(readIfThere(join(commonFolder, 'packed-refs')) ?? '').includes(` ${prefix}`);
}

/** Whether an error of the file system says that nothing is there. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EISDIR') return undefined;
    throw error;
  }
}
