import type { AgentEnd, Usage } from '../core/agent/agent-end.ts';
import type { AgentEvent } from '../core/agent/agent-event.ts';
import type { Role } from '../core/agent/role.ts';
import type { StructuredClaim } from '../core/agent/structured-claim.ts';

export type { AgentEnd, Usage };

/** Everything one agent process is given for one attempt (R-DEL-1, R-API-2). */
export interface Brief {
  readonly role: Role;
  /** The whole task in words; goes to the agent by stdin, never by an argument (R-DEL-3). */
  readonly prompt: string;
  /** Absolute path of the folder the agent works in. */
  readonly workspace: string;
  /** Absolute path of the root of the working tree; `workspace` itself if absent. */
  readonly tree?: string;
  /** The `SPECLOOP_*` variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Longest run and longest silence in milliseconds, and what the attempt may cost in US dollars, where the agent can keep to that. */
  readonly limits: { readonly wallMs: number; readonly idleMs: number; readonly costUsdMax?: number };
  /** Absolute path of the log of this attempt. */
  readonly logFile: string;
  /** Ends the agent and all it started; with the reason `'now'`, without asking it first (R-UX-3). */
  readonly signal: AbortSignal;
  /**
   * Of an answer that is longer than is passed on, the lines that are passed on all the same, wherever they are: those
   * that may count against it (R-DEL-4).
   */
  readonly keepLine?: (line: string) => boolean;
  /** What its tools may show, for agents that take them (R-AGT-9). */
  readonly shown?: { readonly task: string; readonly progress: string };
  /** The MCP server that offers the tools of this attempt, on stdio. */
  readonly tools?: McpServerEntry;
  /** Called with what the agent is seen to do, as it happens (R-AGT-2). */
  readonly onEvent?: (event: AgentEvent) => void;
}

/** An MCP server that an agent starts. */
export interface McpServerEntry {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of the server alone. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of a folder that it has to be able to write. */
  readonly folder: string;
}

/** What came back from one attempt. */
export interface AgentOutcome {
  readonly how: AgentEnd;
  /**
   * The final answer, which may be empty; when it is longer than a mebibyte, the lines that `keepLine` names and its last
   * whole lines. For an end other than `completed`, what there was of it.
   */
  readonly answer: string;
  /** For people: why it did not complete and, where that is known, what to do about it. Empty when it did. */
  readonly message: string;
  /** When a usage limit ends, ISO 8601 in UTC, if the agent told. */
  readonly resetsAt?: string;
  /** Tools that the agent wanted to use and was not allowed to, each once. */
  readonly denials?: readonly string[];
  /** What the agent said as data, next to its answer or in place of it. */
  readonly claims?: readonly StructuredClaim[];
  /** What it noted for later tasks by a tool (R-AGT-9). */
  readonly learnings?: readonly string[];
  /** Sentences for people about the attempt, which count against nothing. */
  readonly warnings?: readonly string[];
  readonly usage: Usage;
  readonly durationMs: number;
}

/** A coding agent. */
export interface Agent {
  /** What people call it, in messages and views. */
  readonly name: string;
  /** Whether it can be given the tools of an attempt (R-AGT-9). */
  readonly takesTools?: boolean;
  /**
   * Works on one brief until it leaves, passes a limit or is told to stop; when it resolves, nothing that the agent
   * started is left (R-DEL-6). Never throws for what agents and machines are known to do.
   */
  work(brief: Brief): Promise<AgentOutcome>;
}
