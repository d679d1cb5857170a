import type { PullRequestEvent } from '../../core/pull-request/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { Hosting } from '../../ports/hosting.ts';
import type { World } from '../lane/world.ts';

/** What a step needs: the run, the world, and where the repository is hosted. */
export interface StepScene {
  readonly state: RunState;
  readonly world: World;
  readonly hosting: Hosting;
}

type WithoutTime<E> = E extends PullRequestEvent ? Omit<E, 'at'> : never;
/** What a step tells; the time is added to it. */
export type StepEvent = WithoutTime<PullRequestEvent>;

/** The number of the pull request, which is open by now. */
export function numberOf({ state }: Pick<StepScene, 'state'>): number {
  const number = state.pullRequest?.pullRequest?.number;
  if (number === undefined) throw new Error('The pull request is not open yet.');
  return number;
}
