import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { PROGRESS_BYTES_MAX } from '../../adapters/store/spec-place.ts';
import type { SpecPlace } from '../place.ts';

/** The progress file of a spec as it is now; empty where there is none, or none that can be read. */
export function progressText({ spec: { dir, progressFile } }: Pick<SpecPlace, 'spec'>): string {
  try {
    return readText(join(dir, progressFile), PROGRESS_BYTES_MAX) ?? '';
  } catch {
    return '';
  }
}
