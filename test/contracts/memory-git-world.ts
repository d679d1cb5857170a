import { MemoryGit } from '../memory/git.ts';
import { memoryHands } from '../memory/hands.ts';
import { MemoryRepository } from '../memory/repository.ts';
import { putFile, removePath } from '../memory/tree.ts';
import type { GitWorld } from './git.ts';

const tree = { dir: '/repo' };

/** The same repository, in memory. */
export async function memoryGitWorld(): Promise<GitWorld> {
  return memoryWorldOf(contractRepository());
}

/** A repository as the contract wants it. */
export function contractRepository(): MemoryRepository {
  return new MemoryRepository(tree.dir, {
    branch: 'feat/demo',
    files: { 'README.md': 'hello\n', 'src/a.ts': 'a\n', '.gitignore': '*.log\n/build/\n' },
  });
}

/** The same, where the repository is made already. */
export function memoryWorldOf(repository: MemoryRepository): GitWorld {
  const hands = memoryHands(repository, tree.dir);
  const filesOf = (at = tree) => repository.trees.get(at.dir)?.files ?? new Map<string, string>();
  return {
    git: new MemoryGit(repository),
    tree,
    worktreeDir: '/worktree',
    hands: {
      stage: async (paths) => hands.stage(paths),
      commitAll: async (message) => hands.commitAll(message),
      amend: async (message) => hands.amend(message),
      branchOff: async (branch) => hands.branchOff(branch),
      detach: async () => hands.detach(),
      dropBranch: async (branch) => hands.dropBranch(branch),
      refuse: async (how) => {
        repository.hook = how && (() => how);
      },
    },
    write: async (path, text, at) => putFile(filesOf(at), path, text),
    read: async (path, at) => filesOf(at).get(path),
    remove: async (path, at) => removePath(filesOf(at), path),
    cleanup: async () => {},
  };
}
