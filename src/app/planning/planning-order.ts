import type { RunState } from '../../core/run/data/state.ts';
import type { PlanningAhead } from '../../core/view/steps-ahead.ts';
import type { SpecPlace } from '../place.ts';
import type { StartOrder } from '../start/order.ts';
import type { StoppedBefore } from '../start/site-in-worktree.ts';
import type { PlannedSteps } from './planned-steps.ts';

/** A start of planning, as it was asked for. What it does gets the spec in the tree that the run works in. */
export interface PlanningOrder
  extends Pick<
    StartOrder,
    | 'settings'
    | 'trust'
    | 'worktree'
    | 'answers'
    | 'assumes'
    | 'takeOver'
    | 'driver'
    | 'begins'
    | 'surfaces'
    | 'onStop'
    | 'dryRun'
  > {
  /** Decides what is drafted, from the spec as it is. */
  readonly list: (place: SpecPlace) => Promise<PlannedSteps>;
  /** Brings about what a new run needs, once nothing keeps it from starting; done again it changes nothing. */
  readonly make?: (place: SpecPlace, on: { readonly newBranch: boolean }) => Promise<void>;
  /** The spec is not there yet: `make` makes it. */
  readonly isNew?: boolean;
}

/** What came of a start of planning. */
export type PlanningOutcome =
  /** `place` is the spec in the tree that the run works in. */
  | { readonly is: 'run'; readonly state: RunState; readonly place: SpecPlace }
  /** What would be run; nothing was changed (R-START-8). */
  | { readonly is: 'preview'; readonly ahead: PlanningAhead }
  | StoppedBefore;
