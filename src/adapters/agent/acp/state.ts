import type { McpServerEntry } from '../../../ports/agent.ts';
import type { JsonFields } from '../json-fields.ts';
import type { Transcript } from '../stream-agent.ts';

/** What a conversation is about. */
export interface ConversationSubject {
  /** Absolute path of the folder that the session works in. */
  readonly cwd: string;
  readonly prompt: string;
  readonly model?: string;
  /** Lines of a long answer to keep, as in a brief. */
  readonly keepLine?: (line: string) => boolean;
  /** The MCP server of the attempt. */
  readonly tools?: McpServerEntry;
  /** Names of the variables that the agent has. */
  readonly variables: ReadonlySet<string>;
}

/** What a conversation goes through, one request each. `authenticate`, `mode` and `model` only where they are needed. */
export type ConversationStep = 'initialize' | 'authenticate' | 'session' | 'mode' | 'model' | 'prompt';

/** How the agent ended its turn, or why there was none. */
export type TurnEnd =
  | { readonly stopReason: string }
  /** `error` is that of JSON-RPC. */
  | { readonly error: JsonFields; readonly during: ConversationStep }
  /** What keeps every attempt from working, one sentence. */
  | { readonly obstacle: string };

/** A conversation with an agent that speaks the Agent Client Protocol, as far as it has gone (R-AGT-1). */
export interface Conversation extends Transcript {
  readonly subject: ConversationSubject;
  /** The request that the agent has to respond to. There is one at a time. */
  readonly awaited: { readonly id: number; readonly step: ConversationStep };
  readonly session: string;
  /** Ways to sign in that the agent offers. */
  readonly signIns: readonly string[];
  /** The result of `session/new`. */
  readonly offer: JsonFields;
  readonly isCancelled: boolean;
  /** Ids of the tool calls that are known. */
  readonly tools: ReadonlySet<string>;
  readonly end: TurnEnd | undefined;
}
