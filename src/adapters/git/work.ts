import type { Tree, Work } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { changedFrom } from './inspect.ts';
import { commitTree } from './snapshot.ts';
import { readStatus, STATUS } from './status.ts';
import { writeTree } from './temporary-index.ts';

/** See `Git.workSince`. */
export async function workSince(
  calls: GitCalls,
  tree: Tree,
  { base, exclude }: { readonly base: string; readonly exclude: readonly string[] },
): Promise<Work | undefined> {
  const status = readStatus(await calls.ask(tree, STATUS));
  const excluded = new Set(exclude);
  const paths = (await changedFrom(calls, tree, { commit: base, status })).filter((path) => !excluded.has(path));
  if (paths.length === 0) return undefined;
  const treeId = await writeTree(calls, tree, { from: revision(base), paths });
  return {
    paths,
    commit: await commitTree(calls, tree, { treeId, parent: base, message: 'specloop: work of a task' }),
  };
}
