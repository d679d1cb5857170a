import type { Snapshot, Tree } from './git.ts';
import type { SpecFiles } from './store.ts';

/** A working tree that one member of a batch has for itself (R-PAR-3). */
export interface Workspace {
  readonly tree: Tree;
  /** The branch that was made for it. */
  readonly branch: string;
  /** Absolute path of the spec's folder in it. */
  readonly specDir: string;
  readonly files: SpecFiles;
}

/** Why a workspace could not be made ready: one sentence and what the setup printed. */
export interface WorkspaceProblem {
  readonly problem: string;
}

/** A worktree to be made: its name in the run, the commit it starts from, and what ends the making. */
export interface WorkspaceOrder {
  readonly name: string;
  readonly base: string;
  readonly signal: AbortSignal;
}

/**
 * The worktrees of one run: outside the user's tree, one for each member of a batch (R-PAR-3). Every method may be called
 * twice, and throws `GitFault` and `StorageFault`.
 */
export interface Workspaces {
  /**
   * The worktree of this name on a branch of its own that begins at `base`, made ready to work in. One that is there
   * already is the answer, wherever its HEAD is by now. A problem leaves no worktree; one that was cut short by `signal` is a problem, too.
   */
  open(order: WorkspaceOrder): Promise<Workspace | WorkspaceProblem>;
  /** The worktree of this name, if this run, before a crash or after it, had made one ready. */
  find(name: string): Promise<Workspace | undefined>;
  /**
   * Keeps the files of a worktree that `find` does not give, or that git cannot read any more, under
   * `refs/specloop/kept/<spec>/<run>/<name>/files`; nothing if there are none to keep.
   */
  salvage(name: string): Promise<(Snapshot & { readonly ref: string }) | undefined>;
  /**
   * Removes the worktree of this name; the caller has made sure that its work is kept. A commit of it or its branch that
   * no other ref reaches is kept under `refs/specloop/kept/<spec>/<run>/<name>/commits`. One that is gone is no failure.
   * The branch is left to `prune`.
   */
  close(name: string): Promise<void>;
  /**
   * Removes all worktrees and branches of this spec's runs, this one's included. Work that is in no commit that another ref reaches is first
   * kept under `refs/specloop/kept/<spec>/<run>/<name>/pruned`, or `…/files` where git cannot read a worktree any more;
   * resolves with those refs. A worktree that this repository cannot read at all, as it was made by another one in the same
   * place, is moved out of the way, and its folder named with the refs (R-ADV-6). With nothing to remove it costs nothing.
   */
  prune(): Promise<readonly string[]>;
}

/** Tells the two answers of `open` apart. */
export function isProblem(opened: object): opened is WorkspaceProblem {
  return 'problem' in opened;
}
