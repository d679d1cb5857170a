/** A pull request as the forge tells of it. */
export interface PullRequest {
  readonly number: number;
  /** Its address, for people. */
  readonly url: string;
  readonly state: 'open' | 'closed' | 'merged';
  /** The newest commit of it, in full. */
  readonly head: string;
  /** The branch it is to be merged into. */
  readonly base: string;
  readonly isDraft: boolean;
  readonly title: string;
  readonly body: string;
  /** Whether it can be merged into its base; `unknown` while the forge works it out. */
  readonly mergeable: 'yes' | 'conflict' | 'unknown';
}

/** One check of the head commit. */
export interface Check {
  /** Unique among the checks of a commit. */
  readonly name: string;
  /**
   * `passed`: also skipped and neutral ones. `cut-off`: cancelled, timed out or not started, which says nothing about the
   * commit (R-PR-10).
   */
  readonly state: 'pending' | 'passed' | 'failed' | 'cut-off';
  /** Whether the forge merges nothing without it. */
  readonly isRequired: boolean;
  /** What the forge addresses it by; absent for one that it has no log of and cannot run again. */
  readonly job?: string;
  /** Where people read about it. */
  readonly url?: string;
  /** What it says about itself in a few words: untrusted text. */
  readonly summary?: string;
}

/** Who wrote something on the forge. */
export interface Author {
  readonly name: string;
  readonly isBot: boolean;
  /** Whether it is the account that we write with ourselves; the user's own comments are written with it as well. */
  readonly isSelf: boolean;
  /** Whether they may write to the repository (R-PR-4). */
  readonly mayWrite: boolean;
}

/** What somebody wrote, in their own words: untrusted text, of bounded length. */
export interface Comment {
  /** What the forge addresses it by. */
  readonly id: string;
  readonly author: Author;
  readonly body: string;
  readonly url: string;
}

/** A discussion of one place of the change that is not resolved. */
export interface Thread {
  /** What the forge addresses it by. */
  readonly id: string;
  readonly path?: string;
  readonly line?: number;
  /** The lines of the change that it is about. */
  readonly hunk?: string;
  /** At least one, in the order they were written. */
  readonly comments: readonly Comment[];
}

/** The newest review by somebody who asks for changes. */
export type ChangesRequested = Comment;

/** What one look at a pull request found. All of it is about `pullRequest.head` (R-PR-10). */
export interface Seen {
  readonly pullRequest: PullRequest;
  readonly checks: readonly Check[];
  readonly threads: readonly Thread[];
  readonly changesRequested: readonly ChangesRequested[];
  /** Ids of reviews that a comment with our mark has answered (R-PR-12). */
  readonly answeredReviews: readonly string[];
}

/** What a pull request is opened with. */
export interface NewPullRequest {
  readonly branch: string;
  /** The branch to merge into; the default branch of the repository if absent. */
  readonly base?: string;
  readonly title: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly labels: readonly string[];
  /** Names of people; `org/team` names a team. */
  readonly reviewers: readonly string[];
}
