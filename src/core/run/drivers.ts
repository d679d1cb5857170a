import type { HandOver, Holder } from './data/hand-over.ts';
import type { RunState } from './data/state.ts';
import { isInTree } from './lane-of.ts';

/** The effects that are under way elsewhere, in plan order. */
export function handOvers(state: RunState | undefined): readonly HandOver[] {
  return (state?.tasks ?? []).flatMap(({ key }) => (state && handOverOf(state, key)) ?? []);
}

/** How the effect that is under way for a task is carried out elsewhere; `undefined` if there is none. */
export function handOverOf({ progress }: Pick<RunState, 'progress'>, key: string): HandOver | undefined {
  const at = progress.get(key);
  return at?.at === 'WORKING' || at?.at === 'REVIEWING' ? at.handOver : undefined;
}

/**
 * Whether someone may be at work in the user's tree at this moment: what is odd about its branch, HEAD and state file is then
 * part of that work, which is judged for it (R-VER-3).
 */
export function isTreeHandedOver(state: RunState | undefined): boolean {
  return state !== undefined && handOvers(state).some(({ effect }) => isInTree(state, effect.task));
}

/** Another driver whose lease is not over at `now` (as the clock writes it); `undefined` if `driver` may go on with the run. */
export function otherDriver(
  state: RunState,
  { driver, now }: { readonly driver: string | undefined; readonly now: string },
): Holder | undefined {
  return handOvers(state)
    .map(({ holder }) => holder)
    .find((holder) => holder.driver !== driver && now < holder.until);
}
