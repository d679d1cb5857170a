import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Unrecordable } from '../../core/verify/unrecordable.ts';
import type { AttemptKey } from '../lane/attempt-key.ts';
import type { World } from '../lane/world.ts';

type InSubmodules = Pick<World, 'git' | 'tree'>;

/** What is uncommitted inside the submodules of the tree, by path from the tree's root. Nothing is asked where there are none. */
export async function changedInSubmodules({ git, tree }: InSubmodules): Promise<Fingerprint> {
  const paths: string[] = [];
  for (const submodule of await git.submodules(tree)) {
    const { changes } = await git.inspect({ dir: `${tree.dir}/${submodule}` });
    paths.push(...changes.map(({ path }) => `${submodule}/${path}`));
  }
  return paths.length === 0 ? new Map() : await git.fingerprint(tree, paths);
}

/** The uncommitted changes inside submodules that the attempt made: no commit of this repository can hold them (R-VER-13). */
export async function strandedInSubmodules(world: World, attempt: AttemptKey): Promise<readonly Unrecordable[]> {
  const submodules = await world.git.submodules(world.tree);
  if (submodules.length === 0) return [];
  const before = world.proofs.inSubmodules(attempt) ?? new Map();
  const made = [...(await changedInSubmodules(world))].filter(([path, { is, content }]) => {
    const known = before.get(path);
    return known?.is !== is || known.content !== content;
  });
  return made.map(([path]) => ({
    path,
    why: 'submodule',
    by: submodules.find((submodule) => path.startsWith(`${submodule}/`)) ?? '',
  }));
}

/**
 * Undoes inside the submodules what a failed attempt changed there; it is kept under a ref of the submodule (R-RETRY-4).
 * What was uncommitted there before is the user's and stays as it is. Returns what was done, in words.
 */
export async function undoInSubmodules(world: World, attempt: AttemptKey, ref: string): Promise<readonly string[]> {
  const { git, tree, proofs } = world;
  const before = proofs.inSubmodules(attempt);
  if (before === undefined) return [];
  const undone: string[] = [];
  const made = await strandedInSubmodules(world, attempt);
  for (const submodule of new Set(made.map(({ by }) => by))) {
    const inner = { dir: `${tree.dir}/${submodule}` };
    const { head, changes } = await git.inspect(inner);
    if (head === undefined) continue;
    const ours = new Set(made.filter(({ by }) => by === submodule).map(({ path }) => path.slice(submodule.length + 1)));
    const exclude = changes.map(({ path }) => path).filter((path) => !ours.has(path));
    await git.snapshot(inner, { ref, base: head, message: 'specloop: work in a submodule, set aside', exclude });
    await git.putBack(
      inner,
      [...ours].filter((path) => !before.has(`${submodule}/${path}`)),
    );
    undone.push(`the submodule ${submodule}; what was changed there is kept in it under ${ref}`);
  }
  return undone;
}
