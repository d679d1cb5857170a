/** How an attempt ended (R-DEL-7). Only what `completed` says is looked at any further. */
export type AgentEnd =
  | 'completed'
  | 'failed'
  | 'rate-limited'
  | 'unauthenticated'
  | 'context-overflow'
  | 'refused'
  | 'timed-out'
  | 'silent'
  | 'crashed'
  | 'cancelled'
  | 'not-found';

/** What an attempt spent, where the agent tells (R-DEL-8). */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}
