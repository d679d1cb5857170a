import { excludeOnce } from '../adapters/git/exclude.ts';
import { ignoredPaths } from '../adapters/git/repository.ts';
import {
  COORDINATOR_FILE,
  CURRENT_SPEC_FILE,
  PRIVATE_PATTERNS,
  STATE_FILE,
  TEMPORARY_SUFFIX,
  taskProgressFile,
} from '../core/spec-files.ts';
import type { Environment } from './host.ts';
import type { SpecPlace } from './place.ts';

/** Adds ignore entries where the repository does not ignore the private files already, and resolves with them (R-FILE-8). */
export async function ignorePrivateFiles(
  { repository, spec }: SpecPlace,
  env: Environment,
): Promise<readonly string[]> {
  const examples = [
    `${spec.path}/${STATE_FILE}`,
    `${spec.path}/${taskProgressFile(0)}`,
    `${spec.path}/${COORDINATOR_FILE}`,
    `specs/${CURRENT_SPEC_FILE}`,
    `${spec.path}/.x${TEMPORARY_SUFFIX}`,
  ];
  const ignored = await ignoredPaths(repository, env, examples);
  if (ignored.length === examples.length) return [];
  return await excludeOnce(repository.commonDir, PRIVATE_PATTERNS);
}
