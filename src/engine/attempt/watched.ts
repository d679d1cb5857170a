import type { RunState } from '../../core/run/data/state.ts';
import { progressOf, taskOf } from '../../core/run/data/state.ts';
import { NOTHING_NOTICED, type Noticed } from '../../core/verify/noticed.ts';
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
 * Lets an agent, a reviewer or a command work, and compares what judges the work before and after (R-VER-14). What it may not
 * change is put back when this resolves, before git is asked anything else.
 */
export async function watched<T>(
  state: RunState,
  place: World,
  occasion: Occasion,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly noticed: Noticed | undefined }> {
  const mended: string[] = [];
  const { result, noticed } = await place.watch.during(workOf(state, place, occasion), async () => {
    const done = await act();
    mended.push(...(await mend(state, place, occasion)));
    return done;
  });
  return { result, noticed: asFound(mended, noticed, place) };
}

/**
 * What was noticed around work that was handed over, now that it is reported. It is written down before the watch ends, so
 * that a process that is killed in between loses none of it.
 */
export async function watchedSince(
  state: RunState,
  place: World,
  { token, ...occasion }: Occasion & { readonly token: string },
): Promise<Noticed | undefined> {
  const { watch, handedOver } = place;
  const work = workOf(state, place, occasion);
  const known = await handedOver.noticed(token);
  const found = known
    ? asFound([], known, place)
    : asFound(await mend(state, place, occasion), (await watch.noticedSince(work)) ?? LOST, place);
  if (known === undefined) await handedOver.keepNoticed(token, found ?? NOTHING_NOTICED);
  await watch.release(work);
  return found;
}

const LOST: Noticed = {
  violations: ['What judges the work could not be compared: the record of how it was is gone.'],
  concerns: [],
};

/**
 * Repairs what would keep git from answering, before it is asked anything. A member's worktree that is damaged is lost as a
 * whole.
 */
async function mend(state: RunState, { git, tree, ownBranch }: World, { key }: Occasion): Promise<readonly string[]> {
  if (ownBranch !== undefined) return [];
  // In a batch others are recorded on the branch in the meantime.
  const commit = key === undefined || state.batch !== undefined ? state.tip : progressOf(state, key).base;
  return await git.mend(tree, { branch: state.branch, commit });
}

/** Secrets are taken out: names of branches and messages of the stash are an agent's words. */
function asFound(
  mended: readonly string[],
  { violations, concerns }: Noticed = NOTHING_NOTICED,
  { redact }: Pick<World, 'redact'>,
): Noticed | undefined {
  if (mended.length + violations.length + concerns.length === 0) return undefined;
  return { violations: [...mended, ...violations].map(redact), concerns: concerns.map(redact) };
}

/** The work as the watch knows it. */
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
