import type { MemoryRepository, MemoryTree } from './repository.ts';
import { changesOf, ignoring } from './status.ts';
import { putFile, removePath } from './tree.ts';

interface RestoreOrder {
  readonly branch: string | undefined;
  readonly commit: string;
  readonly exclude: readonly string[];
  readonly unstage?: readonly string[];
  readonly between: () => Promise<void>;
}

/** See `Git.restore`: HEAD and branch first, then the index, then file by file. */
export async function restoreTree(repository: MemoryRepository, tree: MemoryTree, order: RestoreOrder): Promise<void> {
  const { branch, between } = order;
  const { id, files } = repository.commit(order.commit);
  const isIgnored = ignoring(repository, tree);
  const wasTracked = tree.index;
  tree.operation = undefined;
  tree.head = branch === undefined ? { commit: id } : { branch };
  repository.moveHead(tree, id);
  await between();
  tree.index = indexAround(tree.index, files, order.exclude);
  const exclude = new Set([...order.exclude, ...(order.unstage ?? [])]);
  const changed = changesOf(repository, tree).map(({ path }) => path);
  const hidden = [...wasTracked.keys()].filter((path) => isIgnored(path) && !files.has(path));
  const ours = [...changed, ...hidden].filter((path) => !exclude.has(path));
  for (const path of ours.filter((gone) => !files.has(gone))) removePath(tree.files, path);
  await between();
  for (const path of ours) {
    const text = files.get(path);
    if (text !== undefined) putFile(tree.files, path, text);
  }
}

function indexAround(
  index: ReadonlyMap<string, string>,
  files: ReadonlyMap<string, string>,
  exclude: readonly string[],
): ReadonlyMap<string, string> {
  if (exclude.length === 0) return files;
  const around = new Map(files);
  for (const path of exclude) {
    const staged = index.get(path);
    if (staged === undefined) around.delete(path);
    else around.set(path, staged);
  }
  return around;
}
