import { join } from 'node:path';
import { type Repository, repository, rigOf } from '../../src/adapters/git/test-rig.ts';
import type { GitWorld, Hands } from './git.ts';

/** A repository on the disk, with the git program. */
export async function gitProgramWorld(): Promise<GitWorld> {
  const repo = await repository();
  const at = (tree = repo.tree) => rigOf({ dir: tree.dir, env: repo.env });
  return {
    git: repo.git,
    tree: repo.tree,
    hands: handsOf(repo),
    worktreeDir: join(repo.beside, 'worktree'),
    write: (path, text, tree) => at(tree).write(path, text),
    read: (path, tree) => at(tree).read(path),
    remove: (path, tree) => at(tree).remove(path),
    cleanup: repo.cleanup,
  };
}

function handsOf({ sh }: Repository): Hands {
  const committed = async (...flags: readonly string[]): Promise<string> => {
    await sh('add', '--all');
    // What is staged may be no change any more once the files are staged as well.
    await sh('commit', '--quiet', '--allow-empty', ...flags);
    return sh('rev-parse', 'HEAD');
  };
  return {
    stage: async (paths) => void (await sh('add', '--all', '--', ...paths)),
    commitAll: (message) => committed('--message', message),
    amend: (message) => committed('--amend', '--message', message),
    branchOff: async (branch) => void (await sh('switch', '--quiet', '--create', branch)),
    detach: async () => void (await sh('switch', '--quiet', '--detach')),
    dropBranch: async (branch) => void (await sh('branch', '--quiet', '-D', branch)),
  };
}
