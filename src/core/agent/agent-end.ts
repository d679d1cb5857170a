/**
 * How an attempt ended (R-DEL-7). Only `completed` is looked at any further.
 *
 * - `completed`: left in order, with an answer to read. Whether the task is done is for others to find out.
 * - `failed`: left in disorder, or says itself that it did not get through; counts as an attempt.
 * - `rate-limited`: a usage limit is reached. Not the task's fault: wait until `resetsAt`, or a while if the agent does
 *   not know, and do not count it.
 * - `overloaded`: the model's service is overloaded, broken or out of reach: try again soon, a few times (R-AGT-4).
 * - `over-budget`: the agent stopped itself at the budget that it was given: a limit of the run (R-DEL-8).
 * - `unauthenticated`: the service does not accept the account (signed out, wrong key, no credit). Stop the run.
 * - `context-overflow`: the prompt or the conversation outgrew the model.
 * - `refused`: the model declined.
 * - `timed-out`, `silent`: ended by us, past the time limit or the silence limit.
 * - `crashed`: ended by a signal that was not ours, or could not be started for a reason that may pass.
 * - `cancelled`: ended by us because `Brief.signal` was aborted.
 * - `not-found`: no such program, or none that can start as it is configured (a model that does not exist, not
 *   executable). Every attempt would end so: stop the run.
 */
export type AgentEnd =
  | 'completed'
  | 'failed'
  | 'rate-limited'
  | 'overloaded'
  | 'over-budget'
  | 'unauthenticated'
  | 'context-overflow'
  | 'refused'
  | 'timed-out'
  | 'silent'
  | 'crashed'
  | 'cancelled'
  | 'not-found';

/** What an attempt spent, as far as the agent tells (R-DEL-8). A field that is absent is unknown, not zero. */
export interface Usage {
  /** Tokens the model read, those from a cache included. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
  /** The cost is computed from tokens and a price of the user's, as the agent told none. */
  readonly isCostEstimated?: true;
}

/** What attempts spent together (R-DEL-8). */
export interface Spent {
  readonly costUsd: number;
  readonly tokens: number;
  /** A part of the cost is an estimate. */
  readonly isCostEstimated?: true;
}
