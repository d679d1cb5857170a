/**
 * Why a push did not come about. `protected`: the remote lets nobody push to the branch. `hook`: a hook said no, here or there.
 * `behind`: the branch there has commits that are not here. `denied`: no rights, or nobody signed in. `unreachable`: no
 * network, or no such repository. `other`: all else.
 */
export type PushRefusal = 'protected' | 'hook' | 'behind' | 'denied' | 'unreachable' | 'other';

/** What came of a push. `output` is what git and the remote said. */
export type Pushed =
  /** `isNew`: the branch there was not at this commit before. */
  | { readonly how: 'pushed'; readonly isNew: boolean }
  | { readonly how: 'refused'; readonly cause: PushRefusal; readonly output: string };

/** The remote that a branch is pushed to. No method forces anything (R-PR-6). */
export interface Remote {
  /** Its name in the repository, as `origin`. */
  readonly name: string;
  /** Pushes a commit as the newest of a branch there, and has the local branch follow it. */
  push(branch: string, commit: string): Promise<Pushed>;
  /** The newest commit of a branch there, fetched; `undefined` if there is no such branch. Throws `RemoteFault`. */
  fetch(branch: string): Promise<string | undefined>;
  /** Moves the branch that is checked out, and its tree, to a commit that descends from it; tells what stands in the way, if something does. */
  advance(commit: string): Promise<{ readonly ok: true } | { readonly ok: false; readonly output: string }>;
  /** A merge of two commits that is on no branch, with conflict markers in `conflicts` where they disagree. */
  merge(
    ours: string,
    theirs: string,
    message: string,
  ): Promise<{ readonly commit: string; readonly conflicts: readonly string[] }>;
}

/** A remote that cannot be read. The message is one sentence for people. */
export class RemoteFault extends Error {
  readonly trouble: 'denied' | 'unreachable';
  constructor(trouble: RemoteFault['trouble'], message: string) {
    super(message);
    this.name = 'RemoteFault';
    this.trouble = trouble;
  }
}
