import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TIMEOUTS, gitCalls, revision } from './calls.ts';
import { faultOfDisk } from './fault.ts';
import { isMissing } from './git-folder.ts';
import type { RepositoryPlace } from './repository.ts';
import { fillSubmodules } from './submodules.ts';

/** A worktree that git knows of, the main one included. */
export interface ListedWorktree {
  /** Absolute path as git has written it down: free of links when the worktree was made. */
  readonly dir: string;
  /** Short name of the branch it is on; `undefined` on a detached HEAD and for a bare repository. */
  readonly branch: string | undefined;
  readonly isMain: boolean;
  /** `gone`: nothing is there, or an empty folder. `damaged`: something is there that git cannot work in. */
  readonly folder: 'whole' | 'damaged' | 'gone';
  /** Why it is locked; the empty text without a reason. Git itself locks one as `initializing` while it makes it. */
  readonly locked?: string;
}

/** Where a branch is to be checked out. */
export interface BranchOrder {
  /** Absolute path of the worktree's folder, which is missing or empty. */
  readonly dir: string;
  readonly branch: string;
  /** The commit at which the branch is made, or made again; absent for a branch that stays where it is. */
  readonly at?: string;
}

/** Whether a repository has worktrees other than its main one, or what is left of some. Starts no process. */
export function hasLinkedWorktrees(commonDir: string): boolean {
  try {
    return readdirSync(join(commonDir, 'worktrees')).length > 0;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** All worktrees of a repository, the main one first. Throws `GitFault`. */
export async function listWorktrees(
  { root, commonDir, gitDir }: RepositoryPlace,
  env: NodeJS.ProcessEnv,
): Promise<readonly ListedWorktree[]> {
  const output = await callsFor(env).ask({ dir: root }, ['worktree', 'list', '--porcelain', '-z']);
  const [main, ...linked] = output.toString().split('\0\0').slice(0, -1).map(readEntry);
  if (main === undefined) return [];
  // Of a submodule git names its private folder in place of the tree.
  const dir = gitDir === commonDir ? root : main.dir;
  return [{ ...main, dir, isMain: true, folder: 'whole' }, ...linked];
}

/** Adds a worktree that is on a branch, with the submodules that are checked out in the main tree. The hooks of a checkout do not run. Throws `GitFault`. */
export async function addWorktreeOn(root: string, env: NodeJS.ProcessEnv, { dir, branch, at }: BranchOrder) {
  const what = at === undefined ? ['--', dir, branch] : ['-B', branch, '--', dir, revision(at)];
  const calls = callsFor(env);
  await calls.ask({ dir: root }, ['worktree', 'add', '--quiet', ...what], { effort: 'work' });
  await fillSubmodules(calls, { dir: root }, { dir });
}

/** Lets git forget a worktree whose folder is gone, and no other; git refuses for one that is there. Throws `GitFault`. */
export async function forgetWorktree(root: string, env: NodeJS.ProcessEnv, dir: string): Promise<void> {
  await rmdir(dir).catch((error: unknown) => {
    if (!isMissing(error)) throw faultOfDisk(error);
  });
  await callsFor(env).ask({ dir: root }, ['worktree', 'remove', '--', dir], { effort: 'work' });
}

function readEntry(text: string): ListedWorktree {
  const attributes = new Map(text.split('\0').map((line) => keyAndValue(line)));
  const dir = attributes.get('worktree') ?? '';
  const locked = attributes.get('locked');
  return {
    dir,
    branch: attributes.get('branch')?.replace(/^refs\/heads\//, ''),
    isMain: false,
    folder: folderAt(dir),
    ...(locked === undefined ? {} : { locked }),
  };
}

function keyAndValue(line: string): readonly [key: string, value: string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function folderAt(dir: string): ListedWorktree['folder'] {
  if (isVacant(dir)) return 'gone';
  return existsSync(join(dir, '.git')) ? 'whole' : 'damaged';
}

/** Whether git would make a worktree at this path: nothing is there, or an empty folder. */
export function isVacant(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && readdirSync(path).length === 0);
}

function callsFor(env: NodeJS.ProcessEnv) {
  return gitCalls(env, DEFAULT_TIMEOUTS);
}
