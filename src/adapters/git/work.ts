import type { Applied, Change, Inspection, Tree, Work } from '../../ports/git.ts';
import { apply } from './apply.ts';
import { type GitCalls, revision } from './calls.ts';
import { carriedOver } from './carry-over.ts';
import { changedFrom } from './inspect.ts';
import { commitTree } from './snapshot.ts';
import { readStatus, STATUS, type Status } from './status.ts';
import { writeTree } from './temporary-index.ts';

/** Decide how git takes a path: whoever changes them changes more than the files that he changed. */
const RULES = /(^|\/)\.git(attributes|ignore|modules)$/;

/** See `Git.workSince`. One call of git where the work is plain. */
export async function workSince(
  calls: GitCalls,
  tree: Tree,
  { base, spare }: { readonly base: string; readonly spare: readonly string[] },
): Promise<Work | undefined> {
  const status = readStatus(await calls.ask(tree, STATUS));
  const spared = new Set(spare);
  const paths = (await changedFrom(calls, tree, { commit: base, status })).filter((path) => !spared.has(path));
  if (paths.length === 0) return undefined;
  const work = { tree, base, paths };
  if (status.head === base && isPlain(work, status))
    return { ...work, files: status.changes.filter(({ path }) => !spared.has(path)) };
  return { ...work, commit: await squashed(calls, work) };
}

/** See `Git.bring`. Git merges what can't be copied. */
export async function bring(
  calls: GitCalls,
  work: Work,
  { to, known }: { readonly to: Tree; readonly known: Inspection },
): Promise<Applied> {
  if (work.files !== undefined && (await carriedOver(calls, work.files, { from: work.tree, to, known })))
    return { how: 'applied', fresh: pathsOf(work.files, 'untracked') };
  const commit = work.commit ?? (await squashed(calls, work));
  return apply(calls, to, { commit, paths: work.paths });
}

function pathsOf(files: readonly Change[], wanted: Change['kind']): readonly string[] {
  return files.flatMap(({ path, kind }) => (kind === wanted ? [path] : []));
}

type ChangedPaths = Pick<Work, 'tree' | 'base' | 'paths'>;

/** Whether there is nothing to it but files in the tree: the index says no more than HEAD. */
function isPlain({ paths }: ChangedPaths, { staged }: Status): boolean {
  const inIndex = new Set(staged);
  return !paths.some((path) => inIndex.has(path) || RULES.test(path));
}

/** One commit on top of the base, on no ref. */
async function squashed(calls: GitCalls, { tree, base, paths }: ChangedPaths): Promise<string> {
  const treeId = await writeTree(calls, tree, { from: revision(base), paths });
  return commitTree(calls, tree, { treeId, parent: base, message: 'specloop: work of a task' });
}
