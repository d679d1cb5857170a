import type { Snapshot, Tree } from '../../ports/git.ts';
import { type GitCalls, line } from './calls.ts';
import { isAncestor, setRef } from './history.ts';
import { inspect } from './inspect.ts';
import { giveRights, isDenied, unreadableAmong } from './rights.ts';
import { type TreeOrder, writeTree } from './temporary-index.ts';

/** See `Git.snapshot`. */
export interface SnapshotOrder {
  readonly ref: string;
  readonly base: string;
  readonly message: string;
  readonly exclude: readonly string[];
}

/** specloop is the author of a snapshot: the user may have no identity in git. */
const IDENTITY = {
  GIT_AUTHOR_NAME: 'specloop',
  GIT_AUTHOR_EMAIL: 'specloop@localhost',
  GIT_COMMITTER_NAME: 'specloop',
  GIT_COMMITTER_EMAIL: 'specloop@localhost',
};

/** Keeps work that is about to be put aside (R-RETRY-4). No hook runs, and a repository inside the tree is kept by its files. */
export async function snapshot(calls: GitCalls, tree: Tree, order: SnapshotOrder): Promise<Snapshot | undefined> {
  const { head, changes } = await inspect(calls, tree);
  const exclude = new Set(order.exclude);
  const paths = changes.map(({ path }) => path).filter((path) => !exclude.has(path));
  const isBeyond = head !== undefined && !(await isAncestor(calls, tree, { ancestor: head, commit: order.base }));
  if (paths.length === 0 && !isBeyond) return undefined;
  const { treeId, unread } = await treeOf(calls, tree, { from: head, paths });
  const holdsNothing = head !== undefined && treeId === (await line(calls, tree, ['rev-parse', `${head}^{tree}`]));
  if (holdsNothing && !isBeyond) return undefined;
  const commit = holdsNothing ? head : await commitTree(calls, tree, { treeId, parent: head, message: order.message });
  await setRef(calls, tree, { ref: order.ref, commit });
  return { commit, treeId, ...(unread.length > 0 && { unread }) };
}

/** What cannot be read even then belongs to another user, and is left as it was in HEAD. */
async function treeOf(
  calls: GitCalls,
  tree: Tree,
  { from, paths }: TreeOrder,
): Promise<{ readonly treeId: string; readonly unread: readonly string[] }> {
  const write = (some: readonly string[]) => writeTree(calls, tree, { from, paths: some });
  try {
    return { treeId: await write(paths), unread: [] };
  } catch (error) {
    if (!isDenied(error)) throw error;
  }
  await giveRights(tree, paths);
  const unread = new Set(unreadableAmong(tree, paths));
  return { treeId: await write(paths.filter((path) => !unread.has(path))), unread: [...unread] };
}

interface CommitTree {
  readonly treeId: string;
  readonly parent: string | undefined;
  readonly message: string;
}

/** Writes a commit object that no ref points at yet, and resolves with its id. */
export function commitTree(calls: GitCalls, tree: Tree, { treeId, parent, message }: CommitTree): Promise<string> {
  const parents = parent === undefined ? [] : ['-p', parent];
  return line(calls, tree, ['commit-tree', treeId, ...parents, '-F', '-'], {
    env: IDENTITY,
    stdin: `${message}\n`,
    effort: 'work',
  });
}
