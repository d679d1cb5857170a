import type { Tree } from '../../../ports/git.ts';
import type { Remote } from '../../../ports/remote.ts';
import { type GitCalls, line, revision } from '../calls.ts';
import { faultOf } from '../fault.ts';
import { pathsOfList } from '../path-bytes.ts';

/** Two commits to be merged. */
export interface MergeOrder {
  readonly ours: string;
  readonly theirs: string;
  readonly message: string;
}

/**
 * See `Remote.merge`. Neither files, index nor branch are touched. No hook sees the commit and no one signs it: where the
 * two disagree it holds conflict markers, which the work that follows removes in a commit with hooks and signing.
 */
export async function merge(
  calls: GitCalls,
  tree: Tree,
  { ours, theirs, message }: MergeOrder,
): ReturnType<Remote['merge']> {
  const sides = [revision(ours), revision(theirs)] as const;
  const answer = await calls.run(tree, ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ...sides], {
    plainPaths: true,
    effort: 'work',
  });
  if ((answer.code !== 0 && answer.code !== 1) || answer.stopped !== 'no') throw faultOf('merge-tree', answer);
  const [treeId = '', ...paths] = pathsOfList(answer.stdout);
  const parents = sides.flatMap((side) => ['-p', side]);
  const commit = await line(calls, tree, ['commit-tree', '--no-gpg-sign', ...parents, '-F', '-', treeId], {
    stdin: message,
    effort: 'work',
  });
  return { commit, conflicts: [...new Set(paths)].filter((path) => path !== '') };
}
