import { rmdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { listOfPaths } from './path-bytes.ts';
import { fileOf, nameOf } from './path-kinds.ts';

/** Writes tracked files again, as the index has them. */
export async function rewriteFiles(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await calls.ask(tree, ['checkout-index', '--force', '--index', '-z', '--stdin'], {
    stdin: listOfPaths(paths),
    effort: 'work',
  });
}

/** Removes what is not tracked, and the folders that are empty without it. */
export async function removeFiles(tree: Tree, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => rm(fileOf(tree, nameOf(path)), { recursive: true, force: true })));
  removeEmptyFolders(tree, paths);
}

/** Removes the folders that the paths were in, as far as nothing is left in them. */
function removeEmptyFolders(tree: Tree, paths: readonly string[]): void {
  const folders = new Set(paths.flatMap((path) => foldersAbove(nameOf(path))));
  const deepestFirst = [...folders].sort((a, b) => b.length - a.length);
  for (const folder of deepestFirst) {
    try {
      rmdirSync(fileOf(tree, folder));
    } catch (error) {
      unlessNeeded(error as NodeJS.ErrnoException);
    }
  }
}

/** The folders that a path is in, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, n) => parts.slice(0, n + 1).join('/'));
}

function unlessNeeded(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error;
}
