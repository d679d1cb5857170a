import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { nothingIfMissing } from './fault.ts';

/** A hash of what is in a file; `undefined` if it is gone. */
export async function contentHash(path: string): Promise<string | undefined> {
  const content = await readFile(path).catch(nothingIfMissing);
  return content && createHash('sha256').update(content).digest('hex');
}
