import { excludeOnce } from '../adapters/git/exclude.ts';
import { ignoredPaths } from '../adapters/git/repository.ts';
import {
  CURRENT_SPEC_FILE,
  coordinatorFileOf,
  pathInFolder,
  privatePatterns,
  stateFileOf,
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
  const ours = [stateFileOf(spec), taskProgressFile(0), coordinatorFileOf(spec), `.x${TEMPORARY_SUFFIX}`];
  const examples = [...ours.map((name) => pathInFolder(spec.path, name)), `specs/${CURRENT_SPEC_FILE}`];
  const ignored = await ignoredPaths(repository, env, examples);
  if (ignored.length === examples.length) return [];
  return await excludeOnce(repository.commonDir, privatePatterns(spec));
}
