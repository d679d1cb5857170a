import type { RunState } from '../../core/run/state.ts';
import { progressOf, taskOf } from '../../core/run/state.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import type { World } from '../lane/world.ts';
import type { WatchedWork } from '../watch/watch.ts';
import { keptRef } from './kept-ref.ts';

export interface Occasion {
  /** The task that the work is for; none for the tests of the project. */
  readonly key?: string;
  readonly attempt?: number;
  readonly when: WatchedWork['when'];
}

/**
 * Has somebody work in a place, and compares what judges the work before and after (R-VER-14). What was put back is put
 * back when this resolves, before git is asked anything else.
 */
export async function watched<T>(
  state: RunState,
  place: World,
  occasion: Occasion,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly noticed: Noticed | undefined }> {
  const { git, tree, watch, redact } = place;
  const { key } = occasion;
  const order = {
    branch: state.branch,
    // In a batch others are recorded on the branch meanwhile.
    commit: key === undefined || state.batch !== undefined ? state.tip : progressOf(state, key).base,
  };
  const mended: string[] = [];
  const { result, noticed } = await watch.during(workOf(state, place, occasion), async () => {
    const done = await act();
    // Before git is asked anything: it could not answer.
    // A member's worktree that is damaged is lost as a whole.
    if (place.ownBranch === undefined) mended.push(...(await git.mend(tree, order)));
    return done;
  });
  if (noticed === undefined && mended.length === 0) return { result, noticed };
  const { violations, concerns } = noticed ?? { violations: [], concerns: [] };
  // Names of branches and the words of a stash are an agent's.
  return { result, noticed: { violations: [...mended, ...violations].map(redact), concerns: concerns.map(redact) } };
}

/** What the watch is told about somebody's work. */
export function workOf(
  state: RunState,
  { tree, spec }: Pick<World, 'tree' | 'spec'>,
  { key, attempt = 0, when }: Occasion,
): WatchedWork {
  return {
    tree,
    branch: state.branch,
    files: key === undefined ? [] : taskOf(state, key).files,
    when,
    keepUnder: keptRef(spec, { key: key ?? 'tests', attempt }),
  };
}
