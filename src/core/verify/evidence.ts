import type { Proof } from './proof.ts';
import type { Unrecordable } from './unrecordable.ts';

/** How the Verify command ended, run by the coordinator itself (R-VER-5). */
export interface VerifyRun {
  readonly command: string;
  /** Exit code; `undefined` if it did not exit by itself. */
  readonly exitCode?: number;
  readonly how: 'exited' | 'timed-out' | 'killed' | 'not-started';
  /** Last part of what it printed, both streams. */
  readonly output: string;
  readonly durationMs: number;
  /** The limit that it passed, for one that timed out. */
  readonly limitMs?: number;
  /** Variables of the user's that it may have missed, for one that failed (R-SEC-2). */
  readonly notPassed?: readonly string[];
}

/** What the coordinator measured itself once the agent had left. Measurements only: `judge` concludes. */
export interface Evidence {
  /** Where the repository is (R-VER-3). */
  readonly repository: {
    readonly branch?: string;
    /** The branch of a worktree of its own, where the attempt had to stay. */
    readonly own?: string;
    readonly head: string;
    /** A git operation left half done. */
    readonly operation?: string;
    /** Whether the commits from before the attempt are all still there. */
    readonly keepsHistory: boolean;
  };
  readonly plan: {
    /** What was changed in `tasks.md` without right, in words. */
    readonly violations: readonly string[];
    /** What was added to it, in words. */
    readonly additions: readonly string[];
    /** Whether the agent ticked its own box. */
    readonly ownTicked: boolean;
  };
  readonly stateFileTouched: boolean;
  /** What was done to uncommitted changes of the user, and put back (R-START-2). In sentences. */
  readonly usersChanges?: readonly string[];
  /** Files changed since the attempt's start, spec files aside; the first of them when there are many. */
  readonly changedFiles: readonly string[];
  readonly changedFilesTotal: number;
  /** Files that were written again as they were, where nothing else was changed (R-VER-12). */
  readonly rewritten?: readonly string[];
  /** Those of them that *Files* does not name (R-VER-6). */
  readonly outOfScope: readonly string[];
  /** How many there are, where the list above is shortened. */
  readonly outOfScopeTotal?: number;
  /** Changed files that the configuration protects; none may change. */
  readonly protectedFiles: readonly string[];
  /** Changes to what judges the work: scripts of Verify commands, tests that were deleted or skipped. In words. */
  readonly concerns: readonly string[];
  /** What the Verify command did to that which judges it or is the user's; it was put back (R-VER-14). */
  readonly violations?: readonly string[];
  /** Spec files that are not committed; measured in bookkeeping `agent` (R-VER-4). */
  readonly uncommittedSpecFiles: readonly string[];
  /** In the order they ran, up to the first that failed; none when an earlier layer had failed. */
  readonly verify: readonly VerifyRun[];
  /** What can be in no commit although the task is about it (R-VER-13). */
  readonly unrecordable?: readonly Unrecordable[];
  /** Files that were ignored before the attempt and are no longer: no part of its work (R-VER-13). */
  readonly uncovered?: readonly string[];
  /** What the Verify commands did to the tree; absent when none ran to its end. */
  readonly proof?: Proof;
}
