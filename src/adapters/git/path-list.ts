import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { gitFolderOf } from './git-folder.ts';
import { listOfPaths } from './path-bytes.ts';

/**
 * Gives a command of git exactly these paths, by the arguments that `use` is called with. They are in a file that is whole
 * before git starts: a list that breaks off, or that no one is left to write, would be taken for "everything".
 * No path is a bug of the caller, as git takes that for everything as well.
 */
export async function withPathList<Answer>(
  tree: Tree,
  paths: readonly string[],
  use: (args: readonly string[]) => Promise<Answer>,
): Promise<Answer> {
  if (paths.length === 0) throw new Error('A list without a path means every path to git.');
  const file = join(await gitFolderOf(tree), `specloop-paths-${randomBytes(8).toString('hex')}`);
  try {
    await writeFile(file, listOfPaths(paths.map((path) => `:(top,literal)${path}`)), { flag: 'wx' });
    return await use([`--pathspec-from-file=${file}`, '--pathspec-file-nul']);
  } finally {
    await rm(file, { force: true });
  }
}
