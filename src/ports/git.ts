import type { Fingerprint } from '../core/verify/fingerprint.ts';
import type { Unrecordable } from '../core/verify/unrecordable.ts';

/** A working tree of the repository: the user's own, or one of our worktrees. `dir` is absolute. */
export interface Tree {
  readonly dir: string;
}

/** A git operation that was begun and not ended; while one is open nothing of ours may run (R-START-2). */
export type Operation = 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect' | 'am';

/** One path that differs from HEAD: tracked (staged or not) or untracked, never an ignored one. */
export interface Change {
  /**
   * Relative to the tree's root, `/` as separator, exactly as git stores it. A byte that is not UTF-8 becomes a lone
   * surrogate (U+DC80 to U+DCFF), so that every name comes back unharmed. A repository inside the tree ends in `/`.
   */
  readonly path: string;
  readonly kind: 'modified' | 'deleted' | 'untracked';
}

/** The state of a working tree at one moment. */
export interface Inspection {
  /** Commit id of HEAD; `undefined` on a branch without a commit. */
  readonly head: string | undefined;
  /** Short branch name; `undefined` on a detached HEAD. */
  readonly branch: string | undefined;
  readonly operation: Operation | undefined;
  readonly changes: readonly Change[];
  /** The paths that differ between HEAD and the index. */
  readonly staged: readonly string[];
}

export type Committed =
  | { readonly how: 'committed'; readonly commit: string }
  /** The paths hold no change. */
  | { readonly how: 'nothing' }
  /**
   * A hook or a signing program said no; `output` is the last part of what it printed (R-ADV-1). `repaired` are those of
   * the files to be committed that a hook changed before it said no (R-ADV-5).
   */
  | {
      readonly how: 'refused';
      readonly by: RefusedBy;
      readonly output: string;
      readonly repaired?: readonly string[];
    }
  /** Git cannot take what is in the files; `output` is what it says of them (R-ADV-6). */
  | { readonly how: 'unfit'; readonly output: string }
  /** Ended by the order's signal before the commit was made; hooks and signing were ended with it. */
  | { readonly how: 'stopped' };

/**
 * What refused a commit. `work`: a hook that looks at what is committed. `message`: one that looks at the message.
 * `signing`: the program that signs. `reference`: a hook that looks at where the branch moves.
 */
export type RefusedBy = 'work' | 'message' | 'signing' | 'reference';

/** A commit that keeps work no one's branch holds, so that it can be found again (R-RETRY-4). */
export interface Snapshot {
  readonly commit: string;
  /** Id of its tree: equal trees mean equal work. */
  readonly treeId: string;
  /** Files of another user that could not be read, and are not in it. */
  readonly unread?: readonly string[];
}

/** What was done in a tree since a commit, to be applied to another tree. */
export interface Work {
  /** All paths that differ. */
  readonly paths: readonly string[];
  /** All of it as one commit on top of the base, which no ref holds. */
  readonly commit: string;
}

export type Applied =
  /** `submodules` are in the index with another commit than the one their folder in the tree is at, if there are any. */
  | { readonly how: 'applied'; readonly submodules?: readonly string[] }
  | { readonly how: 'conflict'; readonly paths: readonly string[] };

/**
 * Git failed in a way that no answer below foresees. The message is one sentence for people, with what git said;
 * `kind` tells what a person has to look after (R-UX-4): `passing` is what may be gone at the next try, as a lock, a limit of
 * time, or a signal; `unfit` is what git cannot take into the index.
 */
export class GitFault extends Error {
  readonly kind: 'disk-full' | 'not-writable' | 'passing' | 'unfit' | 'other';
  constructor(kind: GitFault['kind'], message: string) {
    super(message);
    this.name = 'GitFault';
    this.kind = kind;
  }
}

/** Paths that differ from what was kept. */
export interface UncommittedDiffers {
  readonly files: readonly string[];
  readonly staged: readonly string[];
}

/** A commit in one line. */
export interface CommitLine {
  readonly subject: string;
  readonly author: string;
}

/** What the coordinator asks of git. Every method may be called twice with the same result, and throws `GitFault`. */
export interface Git {
  /** The state of the tree. Uncommitted files inside a submodule are not looked at, its commit is. */
  inspect(tree: Tree): Promise<Inspection>;

  /**
   * What these paths hold now (R-VER-13). No process is started. What `known` shows to be untouched since is not read again.
   */
  fingerprint(tree: Tree, paths: readonly string[], known?: Fingerprint): Promise<Fingerprint>;

  /**
   * What can be in no commit of the repository (R-VER-13): repositories in `work` that are no submodules, links there that
   * lead out of the tree or to what is ignored, and entries of *Files* in `missing`, of which nothing is in the work, that
   * are there all the same. Those are paths, folders and globs. What is tracked, or in a submodule that was there before,
   * is not included.
   */
  unrecordable(
    tree: Tree,
    asked: { readonly work: Fingerprint; readonly missing: readonly string[] },
  ): Promise<readonly Unrecordable[]>;

  /** Those of the paths that `commit` does not hold and its ignore rules ignore, whatever the rules in the tree are now (R-VER-13). */
  ignoredBefore(tree: Tree, commit: string, paths: readonly string[]): Promise<readonly string[]>;

  /** Paths of the submodules of the tree that are checked out. No process is started. */
  submodules(tree: Tree): Promise<readonly string[]>;

  /** Whether a hook of the user may run at a commit in this tree. */
  hasCommitHooks(tree: Tree): Promise<boolean>;

  /** Puts these paths back to HEAD, in index and files; what HEAD does not hold is removed. All else stays as it is. */
  putBack(tree: Tree, paths: readonly string[]): Promise<void>;

  /** Paths that differ between `commit` and the files of the tree, committed or not, ignored ones aside. */
  changedSince(tree: Tree, commit: string): Promise<readonly string[]>;

  /** Paths that differ between two commits. */
  changedBetween(tree: Tree, from: string, to: string): Promise<readonly string[]>;

  /**
   * Differences of exactly these paths between `commit` and the files of the tree, untracked ones included, as a patch of
   * at most `bytesMax` bytes, cut at a line. No path, no text.
   */
  diffSince(
    tree: Tree,
    commit: string,
    limits: { readonly bytesMax: number; readonly paths: readonly string[] },
  ): Promise<string>;

  /** Text of a file in a commit; `undefined` if the commit has no such file. */
  fileAt(tree: Tree, commit: string, path: string): Promise<string | undefined>;

  /**
   * Commits the changes of these paths and no others, or of the whole tree (`everything`), with the user's hooks and
   * signing, in the environment that the user's own commits have (R-ADV-1, R-ADV-5). The message is taken as it is; the
   * trailers follow after an empty line. Where no commit is made these paths are unstaged, and every file stays as it is,
   * but for what hooks did.
   * With `keepsStaged`, what is staged of other paths stays staged and uncommitted (R-START-2); without it, it is unstaged.
   * Paths that the repository ignores are left out without a complaint (R-START-6). Those of `asStaged` are committed as
   * they are staged, whatever their files are: the submodules that `apply` tells of.
   */
  commit(
    tree: Tree,
    order: {
      readonly message: string;
      readonly trailers: Readonly<Record<string, string>>;
      readonly paths: readonly string[] | 'everything';
      readonly keepsStaged: boolean;
      readonly asStaged?: readonly string[];
      /** What is staged, if that is known; else git is asked. */
      readonly staged?: readonly string[];
      /** Ends the commit with all that it runs: the answer is `stopped`, unless the commit was made. */
      readonly signal?: AbortSignal;
      /** Called when hooks, or signing, have kept the commit waiting for a few seconds. */
      readonly onSlow?: (what: 'hooks' | 'signing') => void;
    },
  ): Promise<Committed>;

  /** The newest commit in `since..HEAD` that carries all these trailers; `undefined` if there is none (R-ADV-2). */
  findRecord(
    tree: Tree,
    query: { readonly since: string; readonly trailers: Readonly<Record<string, string>> },
  ): Promise<string | undefined>;

  /**
   * The values that a trailer has in the commits that HEAD reaches and that changed this path. `undefined` where the
   * history is truncated (a shallow clone), so that what is missing says nothing.
   */
  trailerValues(
    tree: Tree,
    query: { readonly trailer: string; readonly path: string },
  ): Promise<ReadonlySet<string> | undefined>;

  /** The commits that `head` reaches and `base` does not, newest first; at most 1000. */
  commitsBetween(tree: Tree, base: string, head: string): Promise<readonly CommitLine[]>;

  /** Whether `ancestor` is reachable from `commit` (a commit reaches itself). */
  isAncestor(tree: Tree, ancestor: string, commit: string): Promise<boolean>;

  /** Moves the branch (or a detached HEAD) to `commit` and leaves the files as they are: later commits become uncommitted changes (R-DEL-5). */
  unwind(tree: Tree, commit: string): Promise<void>;

  /**
   * Keeps the tree's files, untracked ones included and those of `exclude` left out, as a commit under `ref`, with HEAD as
   * its parent. Where every file is committed, that is HEAD itself. `undefined` if there is nothing beyond `base`: no commit
   * after it and no change. Touches neither files, index nor branch.
   */
  snapshot(
    tree: Tree,
    order: {
      readonly ref: string;
      readonly base: string;
      readonly message: string;
      readonly exclude: readonly string[];
    },
  ): Promise<Snapshot | undefined>;

  /**
   * Keeps the state of these paths, in the files and in the index, as a commit under `ref`, on top of what the ref kept before
   * (R-START-2). Touches nothing else; what cannot be read is left out. Resolves with the commit; `undefined`, with nothing
   * kept, where git cannot write down the index, as with a conflict in it.
   */
  keepUncommitted(
    tree: Tree,
    order: { readonly ref: string; readonly paths: readonly string[]; readonly message: string },
  ): Promise<string | undefined>;

  /** Which of these paths differ from what such a commit keeps: in the files, and in the index. */
  uncommittedDiffers(tree: Tree, kept: string, paths: readonly string[]): Promise<UncommittedDiffers>;

  /** Puts these paths back, in the files and in the index, as such a commit keeps them. */
  putBackUncommitted(tree: Tree, kept: string, paths: readonly string[]): Promise<void>;

  /**
   * What the files of the tree changed against `base`, committed or not, untracked ones included and those of `exclude` left
   * out; `undefined` if nothing differs. Touches neither files, index nor branch.
   */
  workSince(
    tree: Tree,
    order: { readonly base: string; readonly exclude: readonly string[] },
  ): Promise<Work | undefined>;

  /**
   * Keeps the files of a folder, whatever became of the `.git` in it, as a commit on top of `base` under `ref`; nothing if
   * they are those of `base`, or the folder is gone. For a worktree that git cannot read any more (R-RETRY-4).
   */
  salvage(
    dir: string,
    order: { readonly ref: string; readonly base: string; readonly message: string },
  ): Promise<Snapshot | undefined>;

  /**
   * Puts branch, HEAD, index and files back to `commit`, but not the paths of `exclude` and ignored ones, and ends an
   * operation that is left half done (R-VER-3). Without a `branch`, HEAD is detached. Other branches stay as they are. To be called when
   * what worked in the tree has ended: it does what `clearLocks` does first.
   */
  restore(
    tree: Tree,
    order: {
      readonly branch: string | undefined;
      readonly commit: string;
      readonly exclude: readonly string[];
      /** Paths whose files stay as they are as well, while what is staged of them goes. */
      readonly unstage?: readonly string[];
    },
  ): Promise<void>;

  /**
   * Puts HEAD, the ref of the branch and the index right where they are no longer what git can read: HEAD on `branch`, the
   * branch at `commit`, the index as HEAD. Sound ones stay as they are, wherever they lead. One sentence for each that was
   * put right. To be called when what worked in the tree has ended.
   */
  mend(tree: Tree, order: { readonly branch: string; readonly commit: string }): Promise<readonly string[]>;

  /**
   * Removes the lock files that programs left in the tree's git folder while no git is at work there (R-ADV-6). To be called
   * when all that an attempt started has ended. A tree without a git folder has none.
   */
  clearLocks(tree: Tree): Promise<void>;

  /** Points a ref (`refs/…`) at a commit. */
  setRef(ref: string, commit: string): Promise<void>;
  /** Removes refs (`refs/…`), in one step; one that is gone is no failure. */
  removeRefs(refs: readonly string[]): Promise<void>;
  /** The commit a ref (`refs/…`) points at; `undefined` if there is no such ref. */
  readRef(ref: string): Promise<string | undefined>;

  /**
   * Makes a branch at HEAD and switches to it, carrying uncommitted changes along. Switching to the branch one is on is
   * nothing; another branch of that name is a fault.
   */
  switchToNewBranch(tree: Tree, branch: string): Promise<void>;

  /**
   * Adds a worktree on a branch that is made at `commit`, or put there; an existing worktree of that path is the answer,
   * wherever it is.
   */
  addWorktree(dir: string, order: { readonly branch: string; readonly commit: string }): Promise<Tree>;
  /** Removes a worktree and its folder with whatever is in it, but not its branch; one that is gone is no failure. */
  removeWorktree(dir: string): Promise<void>;

  /**
   * Applies what `commit` changed against its parent to the files and index of the tree, without committing. On a conflict
   * the tree is as it was, and the paths are named. A change of the user's that is in the way is one; at the `guarded`
   * paths, also what the tree ignores (R-PAR-3).
   */
  apply(tree: Tree, commit: string, guarded?: readonly string[]): Promise<Applied>;
}

/** A worktree that git knows of, whether its folder is there or not. */
export interface GitWorktree {
  /** Absolute path, links resolved. */
  readonly dir: string;
  /** The commit of a detached HEAD; `undefined` when it is on a branch, or was never made to its end. */
  readonly detachedAt: string | undefined;
}

/** What making worktrees ready and clearing them away asks of git. Nothing is changed. Every method throws `GitFault`. */
export interface GitListing {
  /** The worktree of this repository in this very folder, if its `.git` names it. Starts no process, and looks at no other worktree. */
  worktreeAt(dir: string): Promise<GitWorktree | undefined>;
  /** The worktrees of this repository that are, or were, in a folder below `dir`. Starts no process. */
  worktreesBelow(dir: string): Promise<readonly GitWorktree[]>;
  /** Whether HEAD of the main working tree, or a ref that does not match the glob `except`, reaches the commit. */
  isReachable(commit: string, except: string): Promise<boolean>;
  /** The branches below `prefix` (`refs/heads/…/`), each with its commit. Starts no process where there are none. */
  branchesBelow(prefix: string): Promise<ReadonlyMap<string, string>>;
  /** The files of a commit by path, each with the id of its content. */
  filesOf(commit: string): Promise<ReadonlyMap<string, string>>;
  /** What the tree ignores; a folder of which everything is ignored is one path that ends in `/`. */
  ignoredIn(tree: Tree): Promise<readonly string[]>;
  /** The ignored files that lines of a `.gitignore` match, one by one; a repository inside the tree ends in `/`. */
  ignoredMatching(tree: Tree, patterns: readonly string[]): Promise<readonly string[]>;
}

/** Facts about a repository that are asked before a run. */
export interface RepositoryFacts {
  readonly root: string;
  /** Absolute path of the folder shared by all worktrees (`.git` of the main one). */
  readonly commonDir: string;
  readonly defaultBranch: string | undefined;
  readonly branches: readonly string[];
  /** Whether git knows who commits (`user.name`, `user.email`). */
  readonly hasIdentity: boolean;
}
