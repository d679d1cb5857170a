import type { AgentEnd, Usage } from './agent-end.ts';

/**
 * What an agent was seen to do, the same for every agent (R-AGT-2). `isHelper` marks what a helper of the agent (a
 * sub-agent) did. Texts, tools and targets are as the agent wrote them: untrusted.
 */
export type AgentEvent =
  /** It printed something that its adapter tells no more of: a sign of life. */
  | { readonly type: 'output' }
  | { readonly type: 'text'; readonly text: string; readonly isHelper?: true }
  | ToolCall
  /** Tokens and cost of the whole attempt so far. */
  | ({ readonly type: 'usage' } & Usage)
  /** A usage limit is near, or reached. `resetsAt`: ISO 8601 in UTC. */
  | { readonly type: 'limit'; readonly isReached: boolean; readonly resetsAt?: string }
  /** It was not allowed to use a tool. */
  | { readonly type: 'denial'; readonly tool: string }
  /** It tries again what its service did not take, as it says. */
  | { readonly type: 'retry'; readonly why: string }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'end'; readonly how: AgentEnd };

/** The beginning of a tool's use. */
export interface ToolCall {
  readonly type: 'tool-call';
  /** Name of the tool, in the agent's own words. */
  readonly tool: string;
  /** The file or command that it is used on. */
  readonly target?: string;
  readonly isHelper?: true;
}
