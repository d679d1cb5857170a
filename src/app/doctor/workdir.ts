import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { resolveSpec } from '../../adapters/store/spec-folder.ts';
import { workdirSentence } from '../../core/plan/data/workdir.ts';
import type { Place } from '../place.ts';
import { workdirOf } from '../shell/workdir.ts';
import { type Finding, ok } from './finding.ts';

/** Where agents and commands of the active spec, or the only one, run, where that has to be told (R-UX-1). Throws `UserError`. */
export async function checkWorkdir(
  place: Place | undefined,
  repository: RepositoryPlace | undefined,
): Promise<readonly Finding[]> {
  if (place === undefined || repository === undefined) return [];
  const resolved = await resolveSpec(place.roots);
  if (!resolved.ok) return [];
  const { spec } = resolved;
  const sentence = workdirSentence(spec.path, workdirOf({ ...place, repository, spec }));
  return sentence === undefined ? [] : [ok('working folder', `${spec.name}: ${sentence}`)];
}
