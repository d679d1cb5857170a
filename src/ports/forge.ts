import type { NewPullRequest, PullRequest, Seen } from '../core/pull-request/seen.ts';

/**
 * Why the forge did not do what it was asked. `limited` and `unavailable` pass by themselves: too many requests, and a
 * server or a network that fails. `missing`: the program that reaches it is not installed. `signed-out`: nobody is signed in.
 * `denied`: the user's account may not do it. `gone`: what was asked about is not there (any more). `refused`: the forge said
 * no for a reason of its own. `not-understood`: its answer is none that this version knows.
 */
export type ForgeTrouble =
  | 'limited'
  | 'unavailable'
  | 'missing'
  | 'signed-out'
  | 'denied'
  | 'gone'
  | 'refused'
  | 'not-understood';

/** What the forge did not do. The message is one sentence for people, with what to do about it where that is known. */
export class ForgeFault extends Error {
  readonly trouble: ForgeTrouble;
  /** When it may be asked again, ISO 8601 in UTC, if it said so. */
  readonly retryAt: string | undefined;
  constructor(trouble: ForgeTrouble, message: string, retryAt?: string) {
    super(message);
    this.name = 'ForgeFault';
    this.trouble = trouble;
    this.retryAt = retryAt;
  }
}

/** The repository on the forge, and what the user's account may do there. */
export interface ForgeAccess {
  /** As `owner/name`. */
  readonly repository: string;
  readonly host: string;
  readonly defaultBranch: string;
  readonly mayWrite: boolean;
  /** The account. */
  readonly user: string;
}

/** A place where people review pull requests. All methods but `access` need one that the user may write to (R-PR-7). */
export interface Forge {
  /** Its name, for people: `GitHub`. */
  readonly name: string;
  /** Throws `ForgeFault`: `missing`, `signed-out`, `gone` for a repository that is not there or not visible. */
  access(): Promise<ForgeAccess>;
  /** The open pull request from this branch of the repository, or else the newest closed or merged one. */
  find(branch: string): Promise<PullRequest | undefined>;
  /** Opens one; where the branch has an open one already, that is the answer (R-PR-1). Labels and reviewers it does not know are left out. */
  open(wanted: NewPullRequest): Promise<PullRequest>;
  /** Reads every page of everything that is told about it. Throws `ForgeFault` `gone` if it is not there. */
  look(number: number): Promise<Seen>;
  /** The last part of the log of a check that failed, at most so many characters; `undefined` where there is none. */
  logOf(job: string, limits: { readonly charsMax: number }): Promise<string | undefined>;
  /**
   * Runs a check again, which was run again already if it is asked for twice; resolves with `false` where that is not
   * possible. Throws `ForgeFault` `unavailable` where it is not possible yet, as others of its workflow still run.
   */
  rerun(job: string): Promise<boolean>;
  /** Answers in a thread. Twice the same text is one answer: what is there already is not written again. */
  answerThread(number: number, thread: string, answer: ForgeAnswer): Promise<void>;
  /** Answers a review that asks for changes by a comment, and asks its author to look again where that is possible. */
  answerReview(number: number, review: { readonly id: string; readonly author: string }, text: string): Promise<void>;
  /** Replaces title and body. */
  describe(number: number, text: { readonly title: string; readonly body: string }): Promise<void>;
  /** The text of the repository's own template for pull requests, on its default branch. */
  template(): Promise<string | undefined>;
}

export interface ForgeAnswer {
  readonly text: string;
  /** Whether the thread is resolved with it. */
  readonly resolves: boolean;
}
