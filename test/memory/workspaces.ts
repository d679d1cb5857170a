import type { Git } from '../../src/ports/git.ts';
import type { Workspace, Workspaces } from '../../src/ports/workspace.ts';
import { memoryFiles } from './files.ts';
import type { MemoryRepository } from './repository.ts';

/** Below it are the branches of all worktrees. */
const BRANCHES = 'specloop-batch/worktrees';

export interface MemoryWorkspacesOrder {
  readonly repository: MemoryRepository;
  readonly git: Git;
  /** Absolute folder of all worktrees, and the folder of this run in it. */
  readonly root: string;
  readonly run: string;
  /** Folder of the spec relative to a tree's root. */
  readonly specPath: string;
}

/** The worktrees of one run in a repository in memory. */
export function memoryWorkspaces({ repository, git, root, run, specPath }: MemoryWorkspacesOrder): Workspaces {
  const dirOf = (name: string) => `${root}/${run}/${name}`;
  const branchOf = (name: string) => `${BRANCHES}/${run}/${name}`;
  const add = (name: string, commit: string) => git.addWorktree(dirOf(name), { branch: branchOf(name), commit });
  const at = (name: string): Workspace => ({
    tree: { dir: dirOf(name) },
    branch: branchOf(name),
    specDir: `${dirOf(name)}/${specPath}`,
    files: memoryFiles(repository.tree(dirOf(name)).files, specPath),
  });
  const close = async (name: string): Promise<void> => {
    const dir = dirOf(name);
    await keepCommits({ repository, git }, dir, `refs/specloop/kept/worktrees/${run}/${name}/commits`);
    await git.removeWorktree(dir);
  };
  return {
    async open({ name, base }) {
      await add(name, base);
      return at(name);
    },
    async find(name) {
      return repository.trees.has(dirOf(name)) ? at(name) : undefined;
    },
    async salvage(name) {
      const ref = `refs/specloop/kept/worktrees/${run}/${name}/files`;
      const base = repository.refs.get(`refs/heads/${branchOf(name)}`);
      if (base === undefined) return undefined;
      const kept = await git.salvage(dirOf(name), { ref, base, message: 'specloop: files of a worktree' });
      return kept && { ...kept, ref };
    },
    close,
    async prune() {
      const kept: string[] = [];
      for (const dir of [...repository.trees.keys()].filter((path) => path.startsWith(`${root}/`))) {
        const ref = await keepWork({ repository, git }, dir, `refs/specloop/kept/worktrees${dir.slice(root.length)}`);
        if (ref !== undefined) kept.push(ref);
        await git.removeWorktree(dir);
      }
      await git.removeRefs([...repository.refs.keys()].filter((ref) => ref.startsWith(`refs/heads/${BRANCHES}/`)));
      return kept;
    },
  };
}

/** Keeps the commit a worktree stands on, if no ref but a branch of ours reaches it; the ref, if there was need. */
async function keepCommits(
  { repository, git }: Pick<MemoryWorkspacesOrder, 'repository' | 'git'>,
  dir: string,
  plain: string,
): Promise<string | undefined> {
  const head = repository.trees.has(dir) ? repository.headOf(repository.tree(dir)) : undefined;
  const reaches = (tip: string) => [...repository.history(tip)].some(({ id }) => id === head);
  const others = [...repository.refs].filter(([name]) => !name.startsWith(`refs/heads/${BRANCHES}/`));
  if (head === undefined || others.some(([, tip]) => reaches(tip))) return undefined;
  const ref = await unusedRef(git, plain);
  await git.setRef(ref, head);
  return ref;
}

/** Keeps what a worktree holds beyond the commit it stands at, and that commit. */
async function keepWork(
  order: Pick<MemoryWorkspacesOrder, 'repository' | 'git'>,
  dir: string,
  plain: string,
): Promise<string | undefined> {
  const { git } = order;
  const { head, changes } = await git.inspect({ dir });
  if (head === undefined || changes.length === 0) return await keepCommits(order, dir, plain);
  const ref = await unusedRef(git, plain);
  const left = { ref, base: head, message: 'specloop: work left in a worktree', exclude: [] };
  return (await git.snapshot({ dir }, left)) ? ref : undefined;
}

async function unusedRef(git: Git, plain: string): Promise<string> {
  for (let n = 1; ; n++) {
    const ref = n === 1 ? plain : `${plain}-${n}`;
    if ((await git.readRef(ref)) === undefined) return ref;
  }
}
