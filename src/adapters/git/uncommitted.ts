import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree, UncommittedDiffers } from '../../ports/git.ts';
import { type GitCalls, revision } from './calls.ts';
import { removeFiles } from './files.ts';
import { gitFolderOf } from './git-folder.ts';
import { headOf, readRef, setRef } from './history.ts';
import { listOfPaths, pathsOfList } from './path-bytes.ts';
import { unreadableAmong } from './rights.ts';
import { commitTree } from './snapshot.ts';
import { writeTree } from './temporary-index.ts';

/** See `Git.keepUncommitted`. */
export interface KeepOrder {
  readonly ref: string;
  readonly paths: readonly string[];
  readonly message: string;
}

/** The commit of the files is made on top of one that holds the index, as a stash is; that one is on top of what the ref kept before. */
export async function keepUncommitted(calls: GitCalls, tree: Tree, order: KeepOrder): Promise<string | undefined> {
  const [head, before] = await Promise.all([headOf(calls, tree), readRef(calls, tree, order.ref)]);
  const staged = await calls.run(tree, ['write-tree'], { effort: 'work' });
  if (staged.code !== 0) return undefined;
  const index = await commitTree(calls, tree, {
    treeId: staged.stdout.toString().trimEnd(),
    parent: before ?? head,
    message: `${order.message} (index)`,
  });
  const unread = new Set(unreadableAmong(tree, order.paths));
  const paths = order.paths.filter((path) => !unread.has(path));
  const treeId = await writeTree(calls, tree, { from: head, paths });
  const commit = await commitTree(calls, tree, { treeId, parent: index, message: order.message });
  await setRef(calls, tree, { ref: order.ref, commit });
  return commit;
}

/** What is kept of some paths. */
export interface KeptPaths {
  readonly kept: string;
  readonly paths: readonly string[];
}

/** See `Git.uncommittedDiffers`. */
export async function uncommittedDiffers(
  calls: GitCalls,
  tree: Tree,
  { kept, paths }: KeptPaths,
): Promise<UncommittedDiffers> {
  const now = await writeTree(calls, tree, { from: revision(kept), paths });
  const [files, staged] = await Promise.all([
    calls.ask(tree, ['diff-tree', '-r', '-z', '--no-renames', '--name-only', kept, now]),
    stagedDifferently(calls, tree, { kept, paths }),
  ]);
  return { files: pathsOfList(files), staged: staged.map(({ path }) => path) };
}

/** See `Git.putBackUncommitted`. */
export async function putBackUncommitted(calls: GitCalls, tree: Tree, { kept, paths }: KeptPaths): Promise<void> {
  const file = join(await gitFolderOf(tree), `specloop-index-${randomBytes(8).toString('hex')}`);
  const options = { env: { GIT_INDEX_FILE: file }, effort: 'work' } as const;
  try {
    await calls.ask(tree, ['read-tree', revision(kept)], options);
    const known = new Set(pathsOfList(await calls.ask(tree, ['ls-files', '-z'], options)));
    await removeFiles(
      tree,
      paths.filter((path) => !known.has(path)),
    );
    const there = listOfPaths(paths.filter((path) => known.has(path)));
    await calls.ask(tree, ['checkout-index', '--force', '-z', '--stdin'], { ...options, stdin: there });
  } finally {
    await rm(file, { force: true });
  }
  const entries = (await stagedDifferently(calls, tree, { kept, paths })).map(({ entry }) => entry);
  if (entries.length > 0)
    await calls.ask(tree, ['update-index', '-z', '--index-info'], { stdin: listOfPaths(entries), effort: 'work' });
}

/** The paths whose entry in the index is not the kept one, with what makes it so. */
async function stagedDifferently(
  calls: GitCalls,
  tree: Tree,
  { kept, paths }: KeptPaths,
): Promise<readonly { readonly path: string; readonly entry: string }[]> {
  const [was, is] = await Promise.all([
    calls.ask(tree, ['ls-tree', '-r', '-z', '--full-tree', `${revision(kept)}^`]),
    calls.ask(tree, ['ls-files', '--stage', '-z']),
  ]);
  const before = entriesOf(was, /^(\d+) \w+ ([0-9a-f]+)\t/);
  const now = entriesOf(is, /^(\d+) ([0-9a-f]+) 0\t/);
  return paths.flatMap((path) => {
    const entry = before.get(path);
    if (entry === now.get(path)) return [];
    return [{ path, entry: entry === undefined ? `0 ${'0'.repeat(kept.length)}\t${path}` : `${entry}\t${path}` }];
  });
}

/** Mode and id by path. */
function entriesOf(list: Buffer, form: RegExp): ReadonlyMap<string, string> {
  return new Map(
    pathsOfList(list).flatMap((entry) => {
      const [head, mode, id] = form.exec(entry) ?? [];
      return head === undefined ? [] : [[entry.slice(head.length), `${mode} ${id}`]];
    }),
  );
}
