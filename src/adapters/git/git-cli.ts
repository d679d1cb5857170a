import type { Git, Tree } from '../../ports/git.ts';
import { apply } from './apply.ts';
import { cached } from './cached-files.ts';
import { DEFAULT_TIMEOUTS, type GitTimeouts, gitCalls } from './calls.ts';
import { commit } from './commit.ts';
import { commitHooks } from './commit-hooks.ts';
import { withFaults } from './fault.ts';
import { fingerprint } from './fingerprint.ts';
import {
  commitsBetween,
  findRecord,
  isAncestor,
  readRef,
  removeRefs,
  setRef,
  switchToNewBranch,
  trailerValues,
  unwind,
} from './history.ts';
import { ignoredBefore } from './ignored-before.ts';
import { changedBetween, changedSince, diffSince, fileAt, inspect } from './inspect.ts';
import { clearLocksOf } from './locks.ts';
import { mend } from './mend.ts';
import { putBack } from './put-back.ts';
import { restore } from './restore.ts';
import { salvage } from './salvage.ts';
import { snapshot } from './snapshot.ts';
import { keepUncommitted, putBackUncommitted, uncommittedDiffers } from './uncommitted.ts';
import { checkedOutSubmodules, unrecordable } from './unrecordable.ts';
import { workSince } from './work.ts';
import { addWorktree, removeWorktree } from './worktree.ts';

export interface GitCliOptions {
  /** Absolute path of the repository's main working tree. */
  readonly root: string;
  /** What git inherits; variables that would lead it elsewhere are left out. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeouts?: Partial<GitTimeouts>;
  /** Where commits have to take hooks from, where that is not git's to say (R-VER-14). */
  readonly hooksPath?: () => string | undefined;
}

/**
 * The port over the git program (2.39 or later). No shell is involved, no setting or hook of the repository starts a
 * program when we read, and a task's commit is never made past the user's hooks (R-ADV-1, R-SEC-1).
 */
export function gitCli({ root, env, timeouts, hooksPath }: GitCliOptions): Git {
  const calls = gitCalls(env, { ...DEFAULT_TIMEOUTS, ...timeouts, ...(hooksPath && { hooksPath }) });
  const main: Tree = { dir: root };
  return withFaults({
    inspect: (tree) => inspect(calls, tree),
    fingerprint: (tree, paths, known) => fingerprint(tree, paths, known),
    unrecordable: (tree, asked) => unrecordable(calls, tree, asked),
    ignoredBefore: (tree, at, paths) => ignoredBefore(calls, tree, { commit: at, paths }),
    hasCommitHooks: commitHooks(calls),
    submodules: async (tree) => checkedOutSubmodules(tree),
    putBack: (tree, paths) => putBack(calls, tree, paths),
    changedSince: (tree, since) => changedSince(calls, tree, since),
    changedBetween: (tree, from, to) => changedBetween(calls, tree, { from, to }),
    diffSince: (tree, since, limits) => diffSince(calls, tree, { commit: since, ...limits }),
    fileAt: cached((tree, at, path) => fileAt(calls, tree, { commit: at, path })),
    commit: (tree, order) => commit(calls, tree, order),
    findRecord: (tree, query) => findRecord(calls, tree, query),
    trailerValues: (tree, query) => trailerValues(calls, tree, query),
    commitsBetween: (tree, base, head) => commitsBetween(calls, tree, { base, head }),
    isAncestor: (tree, ancestor, of) => isAncestor(calls, tree, { ancestor, commit: of }),
    unwind: (tree, to) => unwind(calls, tree, to),
    snapshot: (tree, order) => snapshot(calls, tree, order),
    keepUncommitted: (tree, order) => keepUncommitted(calls, tree, order),
    uncommittedDiffers: (tree, kept, paths) => uncommittedDiffers(calls, tree, { kept, paths }),
    putBackUncommitted: (tree, kept, paths) => putBackUncommitted(calls, tree, { kept, paths }),
    workSince: (tree, order) => workSince(calls, tree, order),
    restore: (tree, order) => restore(calls, tree, order),
    clearLocks: (tree) => clearLocksOf(tree),
    salvage: (dir, order) => salvage(calls, main, { dir, ...order }),
    mend: (tree, order) => mend(calls, tree, order),
    setRef: (ref, to) => setRef(calls, main, { ref, commit: to }),
    removeRefs: (refs) => removeRefs(calls, main, refs),
    readRef: (ref) => readRef(calls, main, ref),
    switchToNewBranch: (tree, branch) => switchToNewBranch(calls, tree, branch),
    addWorktree: (dir, order) => addWorktree(calls, main, { dir, ...order }),
    removeWorktree: (dir) => removeWorktree(main, dir),
    apply: (tree, change, guarded = []) => apply(calls, tree, { commit: change, guarded }),
  });
}
