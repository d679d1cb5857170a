import { readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { currentSpecFile } from '../../adapters/store/spec-roots.ts';
import type { TreeBefore } from '../../core/planning/planning-facts.ts';
import { isPrivate } from '../../core/spec-files.ts';
import type { SpecPlace } from '../place.ts';

/**
 * Removes what no commit holds of a spec that was made: its private files, its folder and the folder of specs if nothing is
 * left in them. The spec that was active is active again. Says what was done; done again it changes nothing (R-PLAN-3).
 */
export async function forgetSpec({ spec, roots }: SpecPlace, { currentSpec }: TreeBefore): Promise<readonly string[]> {
  const file = currentSpecFile(roots);
  if (currentSpec === undefined) ifThere(() => unlinkSync(file));
  else writeAtomically(file, currentSpec);
  for (const name of namesIn(spec.dir)) if (isPrivate(name)) ifThere(() => unlinkSync(join(spec.dir, name)));
  const isEmpty = namesIn(spec.dir).length === 0;
  if (isEmpty) ifThere(() => rmdirSync(spec.dir));
  if (namesIn(dirname(spec.dir)).length === 0) ifThere(() => rmdirSync(dirname(spec.dir)));
  return isEmpty ? [`${spec.path} is removed`] : [`${spec.path} is as it was`];
}

function namesIn(dir: string): readonly string[] {
  return ifThere(() => readdirSync(dir)) ?? [];
}

function ifThere<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
