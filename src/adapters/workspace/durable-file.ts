import { closeSync, fsync, openSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Writes a new small file, for the user alone, and has it on the disk when it resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    await promisify(fsync)(file);
  } finally {
    closeSync(file);
  }
}
