import { join } from 'node:path';
import { PLAN_BYTES_MAX } from '../../adapters/store/plan-format.ts';
import { readText } from '../../adapters/store/read-text.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import {
  type ArtifactName,
  type ArtifactText,
  DOCUMENT_FILES,
  readArtifact,
} from '../../core/artifact/artifact-text.ts';
import { type ArtifactProblem, problemOf } from '../../core/artifact/problem.ts';
import { pathInFolder } from '../../core/spec-files.ts';
import { NotText, TooLarge } from '../../ports/store.ts';

/** The artifacts of a spec that could be read, and what kept others from it. */
export interface ReadArtifacts {
  readonly artifacts: ReadonlyMap<ArtifactName, ArtifactText>;
  readonly unreadable: readonly ArtifactProblem[];
}

/** Reads the artifacts in the folder of a spec (R-PLAN-5). Throws `StorageFault`, and `UserError` for a plan that is no text. */
export function readArtifacts({ dir, path, format, isSingleFile }: SpecFolder): ReadArtifacts {
  const artifacts = new Map<ArtifactName, ArtifactText>();
  const unreadable: ArtifactProblem[] = [];
  const files: readonly (readonly [ArtifactName, string])[] = [
    ...(isSingleFile ? [] : DOCUMENT_FILES),
    ['tasks', format.file],
  ];
  for (const [name, file] of files) {
    const shown = pathInFolder(path, file);
    try {
      const text = readText(join(dir, file), PLAN_BYTES_MAX);
      if (text !== undefined) artifacts.set(name, readArtifact(name, shown, text));
    } catch (error) {
      if (name === 'tasks' || !(error instanceof NotText || error instanceof TooLarge)) throw error;
      const line = error instanceof NotText ? error.line : 1;
      const why = error instanceof NotText ? 'it is not UTF-8 text' : 'it is too large';
      unreadable.push(problemOf('artifact-unreadable', { artifact: { name, file: shown }, line }, { why }));
    }
  }
  return { artifacts, unreadable };
}
