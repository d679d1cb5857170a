import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { removeFiles, rewriteFiles } from './files.ts';
import { pathsOfList } from './path-bytes.ts';
import { nameOf } from './path-kinds.ts';
import { unstage } from './staging.ts';

/** See `Git.putBack`. */
export async function putBack(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await unstage(calls, tree, paths);
  const tracked = new Set(await trackedAmong(calls, tree, paths));
  await removeFiles(
    tree,
    paths.filter((path) => !tracked.has(nameOf(path))),
  );
  await rewriteFiles(calls, tree, [...tracked]);
}

/** Those of the paths that the index holds. */
async function trackedAmong(calls: GitCalls, tree: Tree, paths: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(paths.map(nameOf));
  const tracked = pathsOfList(await calls.ask(tree, ['ls-files', '-z', '--full-name']));
  return tracked.filter((path) => wanted.has(path));
}
