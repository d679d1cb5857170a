import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import type { SpecPlace } from '../place.ts';
import type { AgentSources } from './agents.ts';
import type { ImplementInput } from './input.ts';

/** Where a run is to work, and how it was asked for. */
export interface Site {
  readonly input: ImplementInput;
  readonly place: SpecPlace;
  /** What agents are chosen from: as of the folder that the command was given in, wherever the run works. */
  readonly agents: AgentSources;
  /** The tree that a worktree of the spec was made from; what is trusted there is trusted in it. */
  readonly madeFrom?: RepositoryPlace;
}
