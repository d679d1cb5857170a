import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { type AgentSources, agentSources } from '../agents/agent-choice.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import type { OnStop } from './order.ts';

/** Where a run is to work. */
export interface Site {
  /** As if asked for from the place. */
  readonly host: Host;
  readonly place: SpecPlace;
  /** What agents are chosen from: as of the folder that the command was given in, wherever the run works. */
  readonly agentSources: AgentSources;
  /** The tree that a worktree of the spec was made from; what is trusted there is trusted in it. */
  readonly madeFrom?: RepositoryPlace;
  readonly onStop: OnStop;
}

/** The site of a spec in a place, for a command that was given in the tree of `start`. */
export function siteOf(
  { start, place }: { readonly start: SpecPlace; readonly place: SpecPlace },
  host: Host,
  onStop: OnStop,
): Site {
  const isSame = start.repository.root === place.repository.root;
  return {
    host: { ...host, cwd: place.roots.cwd },
    place,
    agentSources: agentSources(start),
    onStop,
    ...(isSame ? {} : { madeFrom: start.repository }),
  };
}
