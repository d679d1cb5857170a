import { open } from 'node:fs/promises';

/** Writes a new file, for the user alone, and has it on the disk when it resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
