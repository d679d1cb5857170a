import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { type GitCalls, line } from './calls.ts';
import { gitFolderOf } from './git-folder.ts';
import { stageInto } from './staging.ts';

/** A tree made of one commit's, with some paths as they are in the working tree. */
export interface TreeOrder {
  /** Commit to start from; `undefined` for an empty tree. */
  readonly from: string | undefined;
  readonly paths: readonly string[];
}

/** Writes a tree object with an index of its own; the tree's index is neither read nor changed, and returns its id. */
export async function writeTree(calls: GitCalls, tree: Tree, { from, paths }: TreeOrder): Promise<string> {
  const file = join(await gitFolderOf(tree), `specloop-index-${randomBytes(8).toString('hex')}`);
  const env = { GIT_INDEX_FILE: file };
  try {
    await calls.ask(tree, ['read-tree', from ?? '--empty'], { env, effort: 'work' });
    await stageInto(calls, tree, { paths, env });
    return await line(calls, tree, ['write-tree'], { env, effort: 'work' });
  } finally {
    await rm(file, { force: true });
  }
}
