import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import type { SpecPlace } from '../place.ts';
import type { ImplementInput } from './input.ts';

/** Where a run is to work, and how it was asked for. */
export interface Site {
  readonly input: ImplementInput;
  readonly place: SpecPlace;
  /** The tree that a worktree of the spec was made from; what is trusted there is trusted in it. */
  readonly madeFrom?: RepositoryPlace;
}
