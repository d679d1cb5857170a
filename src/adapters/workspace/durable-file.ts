import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';

/** Writes a new small file, for the user alone, and has it on the disk when it returns. */
export function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
