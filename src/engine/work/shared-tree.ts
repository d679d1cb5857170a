import { isMember } from '../../core/run/batch.ts';
import { holdsWork } from '../../core/run/holds-work.ts';
import { isInTree } from '../../core/run/lane-of.ts';
import { type RunState, taskOf } from '../../core/run/state.ts';
import type { World } from '../lane/world.ts';
import { outOfScope } from '../watch/scope.ts';
import { uncoveredAmong } from './measure-work.ts';

/** Whether a task works in the user's tree beside other members of its batch (isolation `shared`). */
export function sharesTree(state: RunState, key: string): boolean {
  return isMember(state, key) && isInTree(state, key);
}

/**
 * The commit that work in the tree is compared with: where the attempt began, or, beside others, the branch tip, which
 * their records move.
 */
export function baseInTree(state: RunState, key: string, base: string): string {
  return sharesTree(state, key) ? state.tip : base;
}

/**
 * Of these changed paths those that are not this task's: the user's own, and beside other members at work all that its
 * *Files* do not name. The last one at work answers for everything.
 */
export function notOf(state: RunState, key: string, paths: readonly string[]): readonly string[] {
  const others = state.batch?.members.filter((member) => member !== key) ?? [];
  const isAlone = others.every((member) => {
    const progress = state.progress.get(member);
    return progress === undefined || !holdsWork(progress);
  });
  if (!sharesTree(state, key) || isAlone) return state.foreign;
  return [...state.foreign, ...outOfScope(paths, { files: taskOf(state, key).files, filesKnown: true })];
}

/** The same for the changes that are in the tree now; what the attempt's ignore rules uncovered is not its own either (R-VER-13). */
export async function spareFor(state: RunState, key: string, world: World, base: string): Promise<readonly string[]> {
  const now = await world.git.inspect(world.tree);
  const paths = now.changes.map(({ path }) => path);
  const strange = notOf(state, key, paths);
  return [...strange, ...(await uncoveredAmong(world, { base, paths, now }))];
}
