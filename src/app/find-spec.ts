import type { Sources } from '../config/load.ts';
import { checkSpecName } from '../core/spec-name.ts';
import { firstOf } from '../core/text/first-of.ts';
import { UserError } from '../core/user-error.ts';
import type { Host } from './host.ts';
import { findPlace, inRepository, type Place, type SpecPlace, specIn } from './place.ts';
import { specsElsewhere } from './worktree/elsewhere.ts';

const LISTED_MAX = 10;

/**
 * The spec of this name, or the active one, in a repository (R-START-1); one that only another worktree has is found, too. Throws
 * `UserError` if there is none.
 */
export async function findSpec(host: Host, name?: string, flags?: Sources['flags']): Promise<SpecPlace> {
  return await knownSpec(await findPlace(host, flags), host, name);
}

/** The same in a place that is known. */
export async function knownSpec(place: Place, host: Host, name?: string): Promise<SpecPlace> {
  const at = { ...place, repository: inRepository(place, host) };
  try {
    return { ...at, spec: await specIn(place, host, name) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (name === undefined) throw namingOthers(error, await specsElsewhere(at, host));
    if (!checkSpecName(name).ok) throw error;
    const [found, ...others] = await specsElsewhere(at, host, name);
    if (found === undefined) throw error;
    if (others.length === 0) return found;
    const paths = [found, ...others].map(({ spec }) => spec.path);
    throw new UserError(
      `Several specs are called "${name}", in other worktrees: ${paths.join(', ')}.`,
      'Run the command in the worktree of the one you mean; "git worktree list" shows them.',
    );
  }
}

/** The same problem, with the specs that only another worktree has in its hint. */
function namingOthers(error: UserError, elsewhere: readonly SpecPlace[]): UserError {
  if (elsewhere.length === 0) return error;
  const names = elsewhere.map(({ spec }) => spec.name);
  return new UserError(error.message, `${error.hint} Specs in other worktrees: ${firstOf(names, LISTED_MAX)}.`);
}
