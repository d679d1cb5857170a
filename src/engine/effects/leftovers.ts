import type { LeftByHooks } from '../../core/run/event.ts';
import { isSpecFile, type World } from '../world.ts';

/**
 * What the user's hooks left uncommitted in the tree after a commit is kept under a ref and put back, `spare` paths aside,
 * so that it does not become part of the next task (R-VER-13, R-ADV-5). Nothing is looked at where no hook can have run.
 */
export async function putLeftoversBack(
  world: World,
  { ref, spare }: { readonly ref: string; readonly spare: readonly string[] },
): Promise<LeftByHooks> {
  const { git, tree } = world;
  if (!(await git.hasCommitHooks(tree))) return {};
  const { head = '', changes } = await git.inspect(tree);
  const spared = new Set(spare);
  const all = changes.map(({ path }) => path);
  const paths = all.filter((path) => !spared.has(path) && !isSpecFile(world, path));
  if (paths.length === 0) return {};
  const isLeft = new Set(paths);
  const kept = await git.snapshot(tree, {
    ref,
    base: head,
    message: 'specloop: what commit hooks left',
    spare: all.filter((path) => !isLeft.has(path)),
  });
  await git.putBack(tree, paths);
  return { left: { paths, ...(kept && { kept: ref }) } };
}
