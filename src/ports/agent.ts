import type { Role } from '../core/run/role.ts';

/** Everything one agent process is given for one attempt (section 15). */
export interface Brief {
  readonly role: Role;
  readonly prompt: string;
  /** Absolute path of the working tree the agent works in. */
  readonly workspace: string;
  /** The `SPECLOOP_*` variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: { readonly wallMs: number; readonly idleMs: number; readonly costUsdMax?: number };
  /** Absolute path of the log of this attempt. */
  readonly logFile: string;
  readonly signal: AbortSignal;
  /** Called when the agent printed something; for views that show signs of life. */
  readonly onActivity?: () => void;
}

/** What an attempt spent, where the agent tells (R-DEL-8). */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

/** How an attempt ended (R-DEL-7). Only `completed` is looked at any further. */
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

export interface AgentOutcome {
  readonly how: AgentEnd;
  /** The final answer; its last part when it is longer than a mebibyte. */
  readonly answer: string;
  /** One sentence for people: why it did not complete. Empty when it did. */
  readonly message: string;
  /** When a usage limit ends, ISO 8601, if the agent told. */
  readonly resetsAt?: string;
  readonly usage: Usage;
  readonly durationMs: number;
}

/** A coding agent. `work` never throws for what agents are known to do. */
export interface Agent {
  readonly name: string;
  work(brief: Brief): Promise<AgentOutcome>;
}
