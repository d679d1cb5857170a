import type { RunState } from '../../src/core/run/data/state.ts';
import type { World } from './world.ts';

/** How one start of the coordinator ended. */
export type End =
  | { readonly how: 'over'; readonly state: RunState }
  /** Nothing can be done until the agents have reported. */
  | { readonly how: 'handed over'; readonly state: RunState }
  | { readonly how: 'crashed' }
  | { readonly how: 'fault'; readonly message: string }
  | { readonly how: 'refused'; readonly message: string }
  | { readonly how: 'bug' };

/** A scenario lived through to its end. */
export interface Life {
  readonly world: World;
  readonly ends: readonly End[];
}
