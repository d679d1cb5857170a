import { randomBytes } from 'node:crypto';
import { copyFile, link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { isMissing } from './git-folder.ts';
import { pathsOfList } from './path-bytes.ts';
import { stagedPaths } from './staging.ts';

/** The index as it was when a commit began, whatever hooks make of it. */
export interface KeptIndex {
  /** What differs between HEAD and that index: what was to be committed. */
  staged(calls: GitCalls, tree: Tree): Promise<readonly string[]>;
  /** What differs between that index and the files as they are now. */
  changed(calls: GitCalls, tree: Tree): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Keeps the index by another name of its file: git never writes into that, but puts a new one in its place. */
export async function keepIndex(gitFolder: string): Promise<KeptIndex> {
  const file = join(gitFolder, `specloop-index-${randomBytes(8).toString('hex')}`);
  const index = join(gitFolder, 'index');
  await link(index, file).catch((error) => (isMissing(error) ? undefined : copyFile(index, file)));
  const env = { GIT_INDEX_FILE: file };
  const diff = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--ignore-submodules=dirty'];
  return {
    staged: (calls, tree) => stagedPaths(calls, tree, env),
    changed: async (calls, tree) => pathsOfList(await calls.ask(tree, diff, { env })),
    remove: () => rm(file, { force: true }),
  };
}
