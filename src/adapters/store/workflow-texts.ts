import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join('.github', 'workflows');
const FILES_MAX = 50;
const BYTES_MAX = 256 * 1024;

/** The workflows of the tree, without those that are too large or cannot be read. */
export async function workflowTexts(root: string): Promise<readonly string[]> {
  const folder = join(root, FOLDER);
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.filter((name) => /\.ya?ml$/.test(name)).slice(0, FILES_MAX);
  const texts = await Promise.all(files.map((name) => textOf(join(folder, name))));
  return texts.flatMap((text) => text ?? []);
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    return size > BYTES_MAX ? undefined : await readFile(path, 'utf8');
  } catch {
    return undefined; // A broken link, or a folder of that name: no workflow.
  }
}
