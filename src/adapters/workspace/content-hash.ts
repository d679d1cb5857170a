import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ifThere } from './fault.ts';

/** A hash of what is in a file; `undefined` if it is gone. */
export function contentHash(path: string): string | undefined {
  return ifThere(() => createHash('sha256').update(readFileSync(path)).digest('hex'));
}
