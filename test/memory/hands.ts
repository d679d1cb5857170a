import type { MemoryRepository } from './repository.ts';
import { changesOf } from './status.ts';

/** What a person or an agent does with git in a working tree of a repository in memory. */
export interface MemoryHands {
  /** `git add --all` for these paths. */
  stage(paths: readonly string[]): void;
  /** Commits the changes of these paths; what else is staged stays so. Returns the commit. */
  commitOnly(paths: readonly string[], message: string): string;
  /** Stages all changes and commits them; returns the commit. */
  commitAll(message: string): string;
  /** Stages all changes and commits them in place of the newest commit; returns the commit. */
  amend(message: string): string;
  /** Makes a branch at HEAD and switches to it. */
  branchOff(branch: string): void;
  detach(): void;
  /** Removes a branch by force. */
  dropBranch(branch: string): void;
}

/** The hands at work in the working tree at `dir`. */
export function memoryHands(repository: MemoryRepository, dir: string): MemoryHands {
  const tree = repository.tree(dir);
  const stage = (paths: readonly string[]): void => {
    const index = new Map(tree.index);
    const isNamed = (path: string) => paths.some((named) => path === named || path.startsWith(`${named}/`));
    for (const { path } of changesOf(repository, tree).filter((change) => isNamed(change.path))) {
      const text = tree.files.get(path);
      if (text === undefined) index.delete(path);
      else index.set(path, text);
    }
    tree.index = index;
  };
  const stageAll = () => stage(changesOf(repository, tree).map(({ path }) => path));
  const commitOn = (parent: string | undefined, message: string): string => {
    const { id } = repository.add({ parent, text: `${message}\n`, files: tree.index });
    repository.moveHead(tree, id);
    return id;
  };
  const head = () => repository.headOf(tree) ?? '';
  return {
    stage,
    commitOnly(paths, message) {
      const staged = tree.index;
      tree.index = repository.headFilesOf(tree);
      stage(paths);
      const made = commitOn(head(), message);
      tree.index = staged;
      stage(paths);
      return made;
    },
    commitAll(message) {
      stageAll();
      return commitOn(head(), message);
    },
    amend(message) {
      stageAll();
      return commitOn(repository.commit(head()).parent, message);
    },
    branchOff(branch) {
      repository.refs.set(`refs/heads/${branch}`, head());
      tree.head = { branch };
    },
    detach() {
      tree.head = { commit: head() };
    },
    dropBranch: (branch) => void repository.refs.delete(`refs/heads/${branch}`),
  };
}
