import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Snapshot, Tree } from '../../ports/git.ts';
import { type GitCalls, line, revision } from './calls.ts';
import { gitFolderOf } from './git-folder.ts';
import { setRef } from './history.ts';
import { withRights } from './rights.ts';
import { commitTree } from './snapshot.ts';

/** See `Git.salvage`. */
export interface SalvageOrder {
  readonly dir: string;
  readonly ref: string;
  readonly base: string;
  readonly message: string;
}

/** Looks at the files with the repository's own git folder and an index of its own: what the folder's `.git` holds does not count. */
export async function salvage(
  calls: GitCalls,
  main: Tree,
  { dir, ref, base, message }: SalvageOrder,
): Promise<Snapshot | undefined> {
  const found = await stat(dir).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const folder = await gitFolderOf(main);
  const file = join(folder, `specloop-index-${randomBytes(8).toString('hex')}`);
  const options = { env: { GIT_DIR: folder, GIT_WORK_TREE: dir, GIT_INDEX_FILE: file }, effort: 'work' } as const;
  try {
    await calls.ask({ dir }, ['read-tree', revision(base)], options);
    await withRights({ dir: dirname(dir) }, [basename(dir)], () =>
      calls.ask({ dir }, ['add', '--all', '--', '.'], options),
    );
    const treeId = await line(calls, { dir }, ['write-tree'], options);
    if (treeId === (await line(calls, main, ['rev-parse', `${base}^{tree}`]))) return undefined;
    const commit = await commitTree(calls, main, { treeId, parent: base, message });
    await setRef(calls, main, { ref, commit });
    return { commit, treeId };
  } finally {
    await rm(file, { force: true });
  }
}
