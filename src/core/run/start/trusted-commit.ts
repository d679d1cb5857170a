import type { RunState } from '../data/state.ts';
import { inFlight } from '../holds-work.ts';
import { isInTree } from '../lane-of.ts';

/** What git knows of a run that was cut off. */
interface CutOffFacts {
  readonly head: string;
  /** The record that was under way when the run was cut off, if its commit was made. */
  readonly recorded?: { readonly task: string; readonly commit: string } | undefined;
}

/**
 * The commit whose plan a run that was cut off goes on with; `undefined` for the plan on disk, where no one but a person can
 * have written to it (R-ADV-2, R-VER-3).
 */
export function trustedCommit(state: RunState, { head, recorded }: CutOffFacts): string | undefined {
  if (recorded !== undefined) return recorded.commit;
  // At a gate no agent was at work, and the plan was left as it was: what differs is a person's.
  if (state.gate !== undefined && state.policy.bookkeeping === 'coordinator') return undefined;
  const working = inFlight(state);
  // The change that a request asks for is made from the plan before it, whether it came to a commit or not.
  const isChanging = [...state.progress.values()].some(({ at }) => at === 'requested' || at === 'MODIFYING');
  if (isChanging || working.some((key) => isInTree(state, key))) return state.tip;
  // The record of a member may be half made in the user's tree, on top of commits that are trusted.
  return working.length > 0 ? head : undefined;
}
