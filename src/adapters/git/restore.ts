import type { Change, Inspection, Tree } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { removeFiles, rewriteFiles } from './files.ts';
import { inspect } from './inspect.ts';
import { clearLocksOf } from './locks.ts';
import { endOperations } from './operation.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';

/** See `Git.restore`. */
export interface RestoreOrder {
  readonly branch: string | undefined;
  readonly commit: string;
  readonly spare: readonly string[];
}

/** Where everything is as it should be, this is one look; else see `Git.restore`. */
export async function restore(calls: GitCalls, tree: Tree, order: RestoreOrder): Promise<void> {
  await clearLocksOf(tree);
  if (stands(await inspect(calls, tree), order)) return;
  await endOperations(calls, tree);
  await pointHead(calls, tree, order);
  if (order.spare.length > 0) return restoreAround(calls, tree, order);
  await calls.ask(tree, ['reset', '--hard', '-q', order.commit], { effort: 'work' });
  await calls.ask(tree, ['clean', '-ffdq'], { effort: 'work' });
}

function stands({ head, branch, operation, changes }: Inspection, order: RestoreOrder): boolean {
  const spare = new Set(order.spare);
  return (
    head === order.commit &&
    branch === order.branch &&
    operation === undefined &&
    changes.every(({ path }) => spare.has(path))
  );
}

/** HEAD first, then the branch: no branch but the one named is ever moved. */
async function pointHead(calls: GitCalls, tree: Tree, { branch, commit }: RestoreOrder): Promise<void> {
  if (branch === undefined) {
    await calls.ask(tree, ['update-ref', '--no-deref', 'HEAD', revision(commit)], { effort: 'work' });
    return;
  }
  await calls.ask(tree, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], { effort: 'work' });
  await calls.ask(tree, ['update-ref', 'HEAD', revision(commit)], { effort: 'work' });
}

/** Puts all but the spared paths back: their files are not touched, their entries in the index are put in again. */
async function restoreAround(calls: GitCalls, tree: Tree, { commit, spare }: RestoreOrder): Promise<void> {
  const spared = new Set(spare);
  await resetIndex(calls, tree, { commit, spared });
  const { changes } = await inspect(calls, tree);
  const ours = changes.filter(({ path }) => !spared.has(path));
  await removeFiles(
    tree,
    ours.filter(isUntracked).map(({ path }) => path),
  );
  await rewriteFiles(
    calls,
    tree,
    ours.filter((change) => !isUntracked(change)).map(({ path }) => path),
  );
}

interface IndexOrder {
  readonly commit: string;
  readonly spared: ReadonlySet<string>;
}

async function resetIndex(calls: GitCalls, tree: Tree, { commit, spared }: IndexOrder): Promise<void> {
  const entries = pathsOfList(await calls.ask(tree, ['ls-files', '--stage', '-z'])).filter((entry) =>
    spared.has(pathOfEntry(entry)),
  );
  const staged = new Set(entries.map(pathOfEntry));
  const gone = [...spared]
    .filter((path) => !path.endsWith('/') && !staged.has(path))
    .map((path) => `0 ${'0'.repeat(commit.length)}\t${path}`);
  await calls.ask(tree, ['read-tree', '--reset', revision(commit)], { effort: 'work' });
  await calls.ask(tree, ['update-index', '-z', '--index-info'], {
    stdin: listOfPaths([...gone, ...entries]),
    effort: 'work',
  });
}

function pathOfEntry(entry: string): string {
  return entry.slice(entry.indexOf('\t') + 1);
}

function isUntracked({ kind }: Change): boolean {
  return kind === 'untracked';
}
