import type { AgentEvent } from '../../../core/agent/agent-event.ts';
import type { Usage } from '../../../ports/agent.ts';
import { fields, type JsonFields, list, number, parseFields, string } from '../json-fields.ts';
import { EMPTY_TRANSCRIPT, type ReadLine, type Transcript } from '../stream-agent.ts';

/** What is known from the lines of `codex exec --json` read so far. */
export interface CodexTranscript extends Transcript {
  /** How its turn ended, in its own words; `undefined` while it works. An item or an event of the type `error` is no end. */
  readonly turn: { readonly how: 'completed' } | { readonly how: 'failed'; readonly message: string } | undefined;
  /** How often in a row it said that it waits for the network. */
  readonly networkWaits: number;
}

export const EMPTY_CODEX_TRANSCRIPT: CodexTranscript = { ...EMPTY_TRANSCRIPT, turn: undefined, networkWaits: 0 };

/** How it begins to say that it waits for the network. */
const WAITS_FOR_NETWORK = 'Reconnecting... waiting for network';

/** It waits twice as long each time, for ever: about a minute goes by until the fourth. */
const NETWORK_WAITS_MAX = 3;

/** Takes one line of `codex exec --json`. Lines and events that are not known change nothing. */
export function readLine(transcript: CodexTranscript, line: string): ReadLine<CodexTranscript> {
  const event = parseFields(line);
  switch (event.type) {
    case 'turn.started':
      return { transcript: { ...transcript, at: 'work', turn: undefined }, events: [] };
    case 'turn.completed': {
      const usage = usageOf(fields(event.usage));
      return { transcript: { ...transcript, at: 'rest', turn: { how: 'completed' }, usage }, events: [] };
    }
    case 'turn.failed': {
      const message = string(fields(event.error).message) ?? '';
      return { transcript: { ...transcript, at: 'rest', turn: { how: 'failed', message } }, events: [] };
    }
    case 'item.started':
      return { transcript, events: beginningOf(fields(event.item)) };
    case 'item.completed':
      return withItem(transcript, fields(event.item));
    case 'error':
      return withError(transcript, string(event.message) ?? '');
    default:
      return { transcript, events: [] };
  }
}

function withItem(before: CodexTranscript, item: JsonFields): ReadLine<CodexTranscript> {
  const transcript = before.networkWaits === 0 ? before : { ...before, networkWaits: 0 };
  const text = string(item.text);
  if (item.type === 'agent_message' && text !== undefined)
    return { transcript: { ...transcript, answer: text, lastText: text }, events: [{ type: 'text', text }] };
  // Only this kind of item is reported when it is over and not when it begins.
  const events = item.type === 'file_change' ? changesOf(item) : [];
  if (item.status !== 'declined') return { transcript, events };
  const tool = toolOf(item)?.tool ?? 'a tool';
  if (transcript.denials.includes(tool)) return { transcript, events };
  return {
    transcript: { ...transcript, denials: [...transcript.denials, tool] },
    events: [...events, { type: 'denial', tool }],
  };
}

function beginningOf(item: JsonFields): readonly AgentEvent[] {
  const use = item.type === 'file_change' ? undefined : toolOf(item);
  return use === undefined ? [] : [{ type: 'tool-call', ...use }];
}

function changesOf(item: JsonFields): readonly AgentEvent[] {
  return list(item.changes).map((change): AgentEvent => {
    const target = string(fields(change).path);
    return { type: 'tool-call', tool: 'file_change', ...(target !== undefined && { target }) };
  });
}

/** The tool that an item is about, and what it is used on. */
function toolOf(item: JsonFields): { readonly tool: string; readonly target?: string } | undefined {
  const on = (target: unknown) => (string(target) === undefined ? {} : { target: String(target) });
  switch (item.type) {
    case 'command_execution':
      return { tool: item.type, ...on(item.command) };
    case 'mcp_tool_call':
      return { tool: [item.server, item.tool].filter((name) => typeof name === 'string').join('.') };
    case 'web_search':
      return { tool: item.type, ...on(item.query) };
    case 'file_change':
      return { tool: item.type };
    default:
      return undefined;
  }
}

/** A retry; the other errors are told again when the turn fails. */
function withError(transcript: CodexTranscript, message: string): ReadLine<CodexTranscript> {
  if (!message.startsWith('Reconnecting')) return { transcript, events: [] };
  const events: readonly AgentEvent[] = [{ type: 'retry', why: message }];
  if (!message.startsWith(WAITS_FOR_NETWORK)) return { transcript, events };
  const networkWaits = transcript.networkWaits + 1;
  if (networkWaits <= NETWORK_WAITS_MAX) return { transcript: { ...transcript, networkWaits }, events };
  return { transcript: { ...transcript, at: 'over', networkWaits, turn: { how: 'failed', message } }, events };
}

/** Tokens of the thread, which is new for every attempt. What came from a cache is among the input. */
function usageOf(usage: JsonFields): Usage {
  const inputTokens = number(usage.input_tokens);
  const outputTokens = number(usage.output_tokens);
  return { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) };
}
