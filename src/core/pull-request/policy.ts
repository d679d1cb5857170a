/** How a pull request is brought to its end (section 11 of the protocol). Times in milliseconds. */
export interface PullRequestPolicy {
  /** The first wait before checks are looked at; later ones grow (R-PR-2). */
  readonly intervalMs: number;
  /** The longest that the lifecycle may take. */
  readonly limitMs: number;
  /** How often it waits and looks again. */
  readonly maxCycles: number;
  /** Fix tasks for one check (R-PR-5). */
  readonly maxFixesPerCheck: number;
  /** The branch to merge into; absent for the default branch of the repository. */
  readonly base?: string;
  readonly isDraft: boolean;
  readonly reviewers: readonly string[];
  readonly labels: readonly string[];
  /** Whether a thread is resolved with the answer. */
  readonly resolves: boolean;
  /** What it means that no check appears: wait, and accept it after `noChecksWaitMs`, or accept it at once. */
  readonly noChecks: 'wait' | 'accept';
  readonly noChecksWaitMs: number;
  /** Names of bots whose comments become tasks (R-PR-4). */
  readonly bots: readonly string[];
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const defaultPullRequestPolicy: PullRequestPolicy = {
  intervalMs: 3 * MINUTE,
  limitMs: 48 * HOUR,
  maxCycles: 20,
  maxFixesPerCheck: 5,
  isDraft: false,
  reviewers: [],
  labels: [],
  resolves: false,
  noChecks: 'wait',
  noChecksWaitMs: 10 * MINUTE,
  bots: [],
};
