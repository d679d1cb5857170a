import type { Lane } from '../../core/run/data/lane.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import type { World } from '../lane/world.ts';
import { outOfScope } from '../watch/scope.ts';
import { uncoveredAmong } from './measure-work.ts';

/**
 * The commit that work is compared with: where the attempt began, or, in a shared tree, the branch tip, which the records of
 * others move.
 */
export function baseIn(lane: Lane, base: string): string {
  return lane.kind === 'shared' ? lane.tip : base;
}

/**
 * Of these changed paths those that are not this task's: the user's own, and, where the tree holds the work of others, all
 * that its *Files* do not name.
 */
export function pathsOfOthers(
  state: RunState,
  lane: Lane,
  { key, paths }: { readonly key: string; readonly paths: readonly string[] },
): readonly string[] {
  if (lane.kind !== 'shared' || !lane.holdsOthers) return state.foreign;
  return [...state.foreign, ...outOfScope(paths, { files: taskOf(state, key).files, filesKnown: true })];
}

/**
 * What stays when the work of an attempt is taken out of the tree: the same for the changes that are in the tree now, and what
 * was ignored when the attempt began, whatever became of the ignore rules (R-VER-13).
 */
export async function pathsToExclude(
  state: RunState,
  key: string,
  world: World,
  base: string,
): Promise<readonly string[]> {
  const now = await world.git.inspect(world.tree);
  const paths = now.changes.map(({ path }) => path);
  const ofOthers = pathsOfOthers(state, world.lane, { key, paths });
  return [...ofOthers, ...(await uncoveredAmong(world, { base, paths, now }))];
}
