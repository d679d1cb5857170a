import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { commonFolderOf, gitFolderOf, isMissing } from './git-folder.ts';

/** See `Git.addWorktree`. The hooks of a checkout do not run; filters (large files) do. */
export async function addWorktree(
  calls: GitCalls,
  main: Tree,
  { dir, commit }: { readonly dir: string; readonly commit: string },
): Promise<Tree> {
  const records = await recordsOf(main, dir);
  if (records.length > 0) {
    const isWhole = (await isThere(join(dir, '.git'))) && !(await isThere(join(records[0] ?? '', 'locked')));
    if (isWhole) return { dir };
    await removeWorktree(main, dir);
  }
  await calls.ask(main, ['worktree', 'add', '--detach', '--quiet', '--', dir, revision(commit)], { effort: 'work' });
  return { dir };
}

/**
 * See `Git.removeWorktree`. What git keeps of a worktree is found by its folder, so that one whose folder is damaged or
 * gone is removed as well, and no other worktree is pruned by the way.
 */
export async function removeWorktree(main: Tree, dir: string): Promise<void> {
  const path = resolve(dir);
  if (`${resolve(main.dir)}${sep}`.startsWith(`${path}${sep}`))
    throw new GitFault('other', `${dir} holds the repository itself and is not removed.`);
  const records = await recordsOf(main, path);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  await Promise.all(records.map((record) => rm(record, { recursive: true, force: true, maxRetries: 3 })));
}

/** The private folders of git that belong to a worktree at this path. Git locks such a folder while it makes the worktree. */
async function recordsOf(main: Tree, dir: string): Promise<readonly string[]> {
  const folder = join(await commonFolderOf(await gitFolderOf(main)), 'worktrees');
  const pointer = join(await realPathOf(dir), '.git');
  const names = await readdir(folder).catch(nothingIfMissing);
  const checks = names.map(async (name) => {
    const text = await readFile(join(folder, name, 'gitdir'), 'utf8').catch(() => '');
    return text.trimEnd() === pointer ? [join(folder, name)] : [];
  });
  return (await Promise.all(checks)).flat();
}

/** Also for a folder that is gone: git has written down where it really was. */
async function realPathOf(dir: string): Promise<string> {
  const path = resolve(dir);
  if (path === dirname(path)) return path;
  return realpath(path).catch(async () => join(await realPathOf(dirname(path)), basename(path)));
}

function nothingIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
