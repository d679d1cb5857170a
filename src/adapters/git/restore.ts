import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Change, Inspection, Tree } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { removeFiles, rewriteFiles } from './files.ts';
import { inspect } from './inspect.ts';
import { clearLocksOf } from './locks.ts';
import { endOperations } from './operation.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { withRights } from './rights.ts';

/** See `Git.restore`. */
export interface RestoreOrder {
  readonly branch: string | undefined;
  readonly commit: string;
  readonly exclude: readonly string[];
  readonly unstage?: readonly string[];
}

/** More rounds than ignore lists lie inside one another in any tree; the last look says what is left. */
const ROUNDS_MAX = 8;

/**
 * Where everything is as it should be, this is one look; else see `Git.restore`. Tracked files go first: with them the
 * ignore lists of the commit are back, and only what these do not cover is removed.
 */
export async function restore(calls: GitCalls, tree: Tree, order: RestoreOrder): Promise<void> {
  await clearLocksOf(tree);
  const found = await inspect(calls, tree);
  if (isRestored(found, order)) return;
  const excluded = excludedBy(order);
  const changed = found.changes.map(({ path }) => path).filter((path) => !excluded.has(path));
  await withRights(tree, changed, () => putBack(calls, tree, order));
}

async function putBack(calls: GitCalls, tree: Tree, order: RestoreOrder): Promise<void> {
  await endOperations(calls, tree);
  await pointHead(calls, tree, order);
  const excluded = excludedBy(order);
  if (excluded.size === 0) await calls.ask(tree, ['reset', '--hard', '-q', order.commit], { effort: 'work' });
  else await resetAround(calls, tree, { commit: order.commit, excluded, staged: order.exclude });
  await removeUntracked(calls, tree, excluded);
  await restoreSubmodules(calls, tree, excluded);
}

function isRestored({ head, branch, operation, changes, staged }: Inspection, order: RestoreOrder): boolean {
  const excluded = excludedBy(order);
  return (
    head === order.commit &&
    branch === order.branch &&
    operation === undefined &&
    changes.every(({ path }) => excluded.has(path)) &&
    !staged.some((path) => order.unstage?.includes(path))
  );
}

/** Paths whose files are not touched. */
function excludedBy({ exclude, unstage = [] }: RestoreOrder): ReadonlySet<string> {
  return new Set([...exclude, ...unstage]);
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

/** Puts tracked files back but for the excluded ones: those are not touched. */
async function resetAround(
  calls: GitCalls,
  tree: Tree,
  { commit, excluded, staged }: { readonly excluded: ReadonlySet<string> } & IndexOrder,
): Promise<void> {
  await resetIndex(calls, tree, { commit, staged });
  const { changes } = await inspect(calls, tree);
  await rewriteFiles(
    calls,
    tree,
    pathsOf(changes, excluded, (kind) => kind !== 'untracked'),
  );
}

/** An ignore list that is not tracked hides files until it is gone itself; hence the rounds. */
async function removeUntracked(calls: GitCalls, tree: Tree, excluded: ReadonlySet<string>): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const { changes } = await inspect(calls, tree);
    const paths = pathsOf(changes, excluded, (kind) => kind === 'untracked');
    if (paths.length === 0) return;
    await removeFiles(tree, paths);
  }
}

/** What still differs then is the commit of a submodule, which no reset moves. */
async function restoreSubmodules(calls: GitCalls, tree: Tree, excluded: ReadonlySet<string>): Promise<void> {
  if (!existsSync(join(tree.dir, '.gitmodules'))) return;
  const { changes } = await inspect(calls, tree);
  const paths = pathsOf(changes, excluded, (kind) => kind === 'modified');
  if (paths.length === 0) return;
  await calls.ask(tree, ['submodule', '--quiet', 'update', '--checkout', '--no-fetch', '--', ...paths], {
    effort: 'work',
  });
}

function pathsOf(
  changes: readonly Change[],
  excluded: ReadonlySet<string>,
  wanted: (kind: Change['kind']) => boolean,
): readonly string[] {
  return changes.filter(({ path, kind }) => wanted(kind) && !excluded.has(path)).map(({ path }) => path);
}

interface IndexOrder {
  readonly commit: string;
  /** Paths whose entries go into the index again. */
  readonly staged: readonly string[];
}

async function resetIndex(calls: GitCalls, tree: Tree, { commit, staged }: IndexOrder): Promise<void> {
  const isKept = new Set(staged);
  const entries = pathsOfList(await calls.ask(tree, ['ls-files', '--stage', '-z'])).filter((entry) =>
    isKept.has(pathOfEntry(entry)),
  );
  const there = new Set(entries.map(pathOfEntry));
  const gone = staged
    .filter((path) => !path.endsWith('/') && !there.has(path))
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
