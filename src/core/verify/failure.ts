/**
 * The check that an attempt did not pass, in the order they run. `agent` means that it did not
 * even come to an answer; `interrupted` that the coordinator died or was stopped while it worked.
 */
export type Layer =
  | 'agent'
  | 'interrupted'
  | 'signal'
  | 'contradiction'
  | 'integrity'
  | 'bookkeeping'
  | 'change'
  | 'verify'
  | 'scope'
  | 'draft'
  | 'review'
  | 'commit'
  | 'merge'
  | 'regression';

/** Why an attempt failed: plain data, told to the next attempt and to people. */
export interface Failure {
  readonly layer: Layer;
  /** What went wrong, in one to many lines; for a Verify command the tail of its output is part of it. */
  readonly text: string;
  /** The same in a few words, for the title of a fix task; absent where the first line of `text` will do. */
  readonly error?: string;
  /** What the agent says it tried, if it said so (R-REC-2). */
  readonly attemptedFix?: string;
}
