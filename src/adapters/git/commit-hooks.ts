import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import { isExecutable } from '../program/is-executable.ts';
import type { GitCalls } from './calls.ts';
import { commonFolderOf, gitFolderOf } from './git-folder.ts';

/** Hooks that run at a commit. */
const NAMES: ReadonlySet<string> = new Set([
  'pre-commit',
  'prepare-commit-msg',
  'commit-msg',
  'post-commit',
  'post-index-change',
  'reference-transaction',
]);

/** See `Git.hasCommitHooks`. Git is asked once where it takes hooks from; the folder is looked at each time. */
export function commitHooks(calls: GitCalls): (tree: Tree) => Promise<boolean> {
  let asked: Promise<string | undefined> | undefined;
  return async (tree) => {
    asked ??= hooksPath(calls, tree);
    const configured = await asked;
    const own = join(await commonFolderOf(await gitFolderOf(tree)), 'hooks');
    return hasHook(configured === undefined ? own : resolve(tree.dir, configured.replace(/^~(?=\/)/, homedir())));
  };
}

async function hooksPath(calls: GitCalls, tree: Tree): Promise<string | undefined> {
  // Where hooks are off, the setting that is asked for is another one.
  const answer = await calls.run(tree, ['config', '--null', '--get', 'core.hooksPath'], { hooks: 'run' });
  return answer.code === 0 ? answer.stdout.toString().split('\0')[0] : undefined;
}

function hasHook(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => NAMES.has(name) && isExecutable(join(folder, name)));
  } catch {
    return false; // There is no such folder.
  }
}
