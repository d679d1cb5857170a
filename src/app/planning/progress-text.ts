import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import type { SpecPlace } from '../place.ts';

const BYTES_MAX = 1024 * 1024;

/** The progress file of a spec as it is now; empty where there is none, or none that can be read. */
export function progressText({ spec: { dir, progressFile } }: Pick<SpecPlace, 'spec'>): string {
  try {
    return readText(join(dir, progressFile), BYTES_MAX) ?? '';
  } catch {
    return '';
  }
}
