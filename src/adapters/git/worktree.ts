import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { GitWorktree, Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { faultOf } from './fault.ts';
import { commonFolderOf, gitFolderOf, isMissing, looseCommit } from './git-folder.ts';
import { removeAll } from './rights.ts';
import { fillSubmodules } from './submodules.ts';

/** See `Git.addWorktree`. The hooks of a checkout do not run; filters (large files) do. */
export async function addWorktree(
  calls: GitCalls,
  main: Tree,
  { dir, branch, commit }: { readonly dir: string; readonly branch: string; readonly commit: string },
): Promise<Tree> {
  const record = await recordAt(main, dir);
  if (record !== undefined && !existsSync(join(record, 'locked'))) return { dir };
  const args = ['worktree', 'add', '--no-track', '--quiet', '-B', branch, '--', dir, revision(commit)];
  if (record === undefined) {
    const answer = await calls.run(main, args, { effort: 'work' });
    if (answer.code === 0) return await filled(calls, main, { dir });
    if ((await recordsOf(main, dir)).length === 0) throw faultOf('worktree', answer);
  }
  // What a crash left half made, or without its folder, is in git's way.
  await removeWorktree(main, dir);
  await calls.ask(main, args, { effort: 'work' });
  return await filled(calls, main, { dir });
}

async function filled(calls: GitCalls, main: Tree, worktree: Tree): Promise<Tree> {
  await fillSubmodules(calls, main, worktree);
  return worktree;
}

/**
 * See `Git.removeWorktree`. What git keeps of a worktree is found by its folder, so that one whose folder is damaged or
 * gone is removed as well, and no other worktree is pruned with it.
 */
export async function removeWorktree(main: Tree, dir: string): Promise<void> {
  const path = resolve(dir);
  if (`${resolve(main.dir)}${sep}`.startsWith(`${path}${sep}`))
    throw new GitFault('other', `${dir} is the main worktree of the repository and is not removed.`);
  const record = await recordAt(main, path);
  const records = record === undefined ? await recordsOf(main, path) : [record];
  await removeAll(path);
  await Promise.all(records.map(removeAll));
}

/** See `GitListing.worktreeAt`. */
export async function worktreeAt(main: Tree, dir: string): Promise<GitWorktree | undefined> {
  const folder = await recordAt(main, dir);
  return folder === undefined ? undefined : { dir, detachedAt: await detachedAt(folder) };
}

/**
 * Git's private folder of the worktree in this folder. An agent may have written to the `.git` that names it: what it
 * names counts only if git names that `.git` in return. No look at any other worktree.
 */
async function recordAt(main: Tree, dir: string): Promise<string | undefined> {
  const path = realPathOf(dir);
  const folder = await gitFolderOf({ dir: path }).catch(() => undefined);
  if (folder === undefined || dirname(realPathOf(folder)) !== realPathOf(await recordsFolder(main))) return undefined;
  return pointerIn(folder) === join(path, '.git') ? folder : undefined;
}

/** See `GitListing.worktreesBelow`. */
export async function worktreesBelow(main: Tree, dir: string): Promise<readonly GitWorktree[]> {
  const root = `${realPathOf(dir)}${sep}`;
  const ours = (await allRecords(main)).filter(({ pointer }) => pointer.startsWith(root));
  return Promise.all(
    ours.map(async ({ folder, pointer }) => ({ dir: dirname(pointer), detachedAt: await detachedAt(folder) })),
  );
}

/** Git writes an id of zeros there before it knows better. */
async function detachedAt(folder: string): Promise<string | undefined> {
  const commit = await looseCommit(join(folder, 'HEAD'));
  return commit !== undefined && /[^0]/.test(commit) ? commit : undefined;
}

/** The private folders of git that belong to a worktree at this path. Git locks such a folder while it makes the worktree. */
async function recordsOf(main: Tree, dir: string): Promise<readonly string[]> {
  const wanted = join(realPathOf(dir), '.git');
  return (await allRecords(main)).flatMap(({ folder, pointer }) => (pointer === wanted ? [folder] : []));
}

interface PrivateFolder {
  /** Git's private folder of the worktree. */
  readonly folder: string;
  /** Where its `.git` is, or was. */
  readonly pointer: string;
}

async function allRecords(main: Tree): Promise<readonly PrivateFolder[]> {
  const parent = await recordsFolder(main);
  return namesIn(parent).map((name) => {
    const folder = join(parent, name);
    return { folder, pointer: pointerIn(folder) };
  });
}

/** The folder in which git has a private folder for each worktree. */
async function recordsFolder(main: Tree): Promise<string> {
  return join(await commonFolderOf(await gitFolderOf(main)), 'worktrees');
}

/** Where the `.git` of a worktree is, or was; git may have written it down relative to its own folder. */
function pointerIn(folder: string): string {
  try {
    const pointer = readFileSync(join(folder, 'gitdir'), 'utf8').trimEnd();
    return pointer === '' ? '' : resolve(folder, pointer);
  } catch {
    return ''; // No folder of a worktree, or one that is half made.
  }
}

/** Also for a folder that is gone: git has written down where it really was. */
function realPathOf(dir: string): string {
  const path = resolve(dir);
  if (path === dirname(path)) return path;
  try {
    return realpathSync.native(path);
  } catch {
    return join(realPathOf(dirname(path)), basename(path));
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
