import type { Applied } from '../../src/ports/git.ts';
import type { MemoryRepository, MemoryTree } from './repository.ts';
import { putFile, removePath } from './tree.ts';

interface Change {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** See `Git.apply`. Whole files are compared: two changes of one file are a conflict, wherever they are in it. */
export async function applyChange(
  repository: MemoryRepository,
  tree: MemoryTree,
  { commit, between }: { readonly commit: string; readonly between: () => Promise<void> },
): Promise<Applied> {
  const changes = changesIn(repository, commit).filter(({ path, after }) => tree.index.get(path) !== after);
  const inTheWay = changes.flatMap((change) => userFilesAt(tree, change));
  if (inTheWay.length > 0) return { how: 'conflict', paths: inTheWay };
  const apart = changes.filter(({ path, before }) => before !== tree.index.get(path));
  if (apart.length > 0) return { how: 'conflict', paths: apart.map(({ path }) => path) };
  const index = new Map(tree.index);
  for (const { path, after } of changes) {
    if (after === undefined) index.delete(path);
    else index.set(path, after);
  }
  for (const { path, after } of changes) {
    if (after === undefined) removePath(tree.files, path);
    else putFile(tree.files, path, after);
    await between();
  }
  tree.index = index;
  return { how: 'applied' };
}

/** What of the user's a change would take the place of: his own text, or, as git names them, files that are not tracked. */
function userFilesAt(tree: MemoryTree, { path, after }: Change): readonly string[] {
  const text = tree.files.get(path);
  if (text !== undefined && text !== tree.index.get(path)) return [path];
  if (after === undefined) return [];
  const isIn = (folder: string) => (known: string) => known.startsWith(`${folder}/`);
  const below = [...tree.files.keys()].filter((known) => isIn(path)(known) && !tree.index.has(known));
  if (below.length === 0) return [];
  return [...tree.index.keys()].some(isIn(path)) ? below : [`${path}/`];
}

/** What a commit changed against its parent. */
function changesIn(repository: MemoryRepository, id: string): readonly Change[] {
  const { files, parent } = repository.commit(id);
  const old: ReadonlyMap<string, string> = parent === undefined ? new Map() : repository.commit(parent).files;
  return [...new Set([...old.keys(), ...files.keys()])]
    .map((path) => ({ path, before: old.get(path), after: files.get(path) }))
    .filter(({ before, after }) => before !== after)
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}
