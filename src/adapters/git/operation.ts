import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation, Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { gitFolderOf, operationIn } from './git-folder.ts';

/** How git is told to forget an operation and leave HEAD and files alone. What it had stashed goes to the stash list. */
const QUIT: Readonly<Record<Operation, readonly string[]>> = {
  rebase: ['rebase', '--quit'],
  am: ['am', '--quit'],
  merge: ['merge', '--quit'],
  'cherry-pick': ['cherry-pick', '--quit'],
  revert: ['revert', '--quit'],
  bisect: ['bisect', 'reset', 'HEAD'],
};

/** What git keeps of an operation in the private folder of a working tree. */
const REMAINS =
  /^(rebase-merge|rebase-apply|sequencer|MERGE_(HEAD|MSG|MODE|RR)|CHERRY_PICK_HEAD|REVERT_HEAD|SQUASH_MSG|AUTO_MERGE|BISECT_.+)$/;

const OPERATIONS_MAX = 6;

/** Ends every operation that is half done, one inside the other included; what git itself cannot end is removed. */
export async function endOperations(calls: GitCalls, tree: Tree): Promise<void> {
  const folder = await gitFolderOf(tree);
  for (let n = 0; n < OPERATIONS_MAX; n++) {
    const operation = await operationIn(folder);
    if (operation === undefined) break;
    const { code } = await calls.run(tree, QUIT[operation], { effort: 'work' });
    if (code !== 0) break;
  }
  const remains = (await readdir(folder)).filter((name) => REMAINS.test(name));
  await Promise.all(remains.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
