import { chmod, lstat, readFile } from 'node:fs/promises';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { listOfPaths } from './path-bytes.ts';
import { fileOf } from './path-kinds.ts';

/** Puts one file into an index byte for byte, past attributes and filters. What is no file, or cannot be read, is left out. */
export async function stageBytes(
  calls: GitCalls,
  tree: Tree,
  { path, env }: { readonly path: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  const file = fileOf(tree, path);
  const stats = await lstat(file);
  if (!stats.isFile()) return;
  const bytes = await readFile(file).catch(() => readClosed(file, stats.mode));
  if (bytes === undefined) return;
  const args = ['hash-object', '-w', '--no-filters', '--stdin'];
  const id = (await calls.ask(tree, args, { stdin: bytes, effort: 'work' })).toString().trimEnd();
  const mode = stats.mode & 0o100 ? '100755' : '100644';
  await calls.ask(tree, ['update-index', '--add', '-z', '--index-info'], {
    env,
    stdin: listOfPaths([`${mode} ${id}\t${path}`]),
    effort: 'work',
  });
}

/** A file without the right to read it, which its owner can give. */
async function readClosed(file: Buffer, mode: number): Promise<Buffer | undefined> {
  try {
    await chmod(file, mode | 0o400);
    return await readFile(file);
  } catch {
    return undefined;
  }
}
