import type { AgentEvent } from '../../../core/agent/agent-event.ts';
import type { Usage } from '../../../ports/agent.ts';
import { fields, type JsonFields, list, number, parseFields, string, total } from '../json-fields.ts';
import { EMPTY_TRANSCRIPT, type ReadLine, type Transcript } from '../stream-agent.ts';
import { targetIn } from '../tool-target.ts';

/** The `result` event: how a turn of the program ended, in the program's own words. */
export interface ClaudeResult {
  /** `success`, also for errors of the model's service; `error_max_turns` and the like. */
  readonly subtype: string;
  readonly isError: boolean;
  /** The final answer, or the text of an error; empty if there was none. */
  readonly text: string;
  readonly errors: readonly string[];
  readonly stopReason: string | undefined;
  readonly terminalReason: string | undefined;
  /** HTTP status of the service's last answer, if that was an error. */
  readonly status: number | undefined;
  /** Names for the error that only some versions give. */
  readonly errorNames: readonly string[];
}

/** What is known from the lines read so far. */
export interface ClaudeTranscript extends Transcript {
  /** Name of the error in whose place the program made up the model's last message. */
  readonly error: string | undefined;
  /** The usage limit that stopped the work; `resetsAt` in seconds since 1970, if told. */
  readonly limit: { readonly resetsAt: number | undefined } | undefined;
  /** The last one: a session may give several, and each replaces the one before. */
  readonly result: ClaudeResult | undefined;
}

export const EMPTY_CLAUDE_TRANSCRIPT: ClaudeTranscript = {
  ...EMPTY_TRANSCRIPT,
  error: undefined,
  limit: undefined,
  result: undefined,
};

/**
 * Takes one line of `--output-format stream-json`. Lines that are no JSON object, and events and fields that are not
 * known, change nothing: the format grows with every version.
 */
export function readLine(transcript: ClaudeTranscript, line: string): ReadLine<ClaudeTranscript> {
  const event = parseFields(line);
  switch (event.type) {
    case 'system':
      return withSystem(transcript, event);
    case 'assistant':
      return withMessage(transcript, event);
    case 'rate_limit_event':
      return withLimit(transcript, fields(event.rate_limit_info));
    case 'result':
      return withResult(transcript, event);
    default:
      return { transcript, events: [] };
  }
}

function withSystem(transcript: ClaudeTranscript, event: JsonFields): ReadLine<ClaudeTranscript> {
  switch (event.subtype) {
    case 'init':
      return { transcript: { ...transcript, at: 'work' }, events: [] };
    case 'permission_denied':
      return withDenials(transcript, [string(event.tool_name) ?? 'a tool']);
    case 'api_retry': {
      const words = [string(event.error), number(event.error_status)].filter((word) => word !== undefined);
      return { transcript, events: [{ type: 'retry', why: words.join(' ') || 'an error of the service' }] };
    }
    default:
      return { transcript, events: [] };
  }
}

function withDenials(transcript: ClaudeTranscript, tools: readonly string[]): ReadLine<ClaudeTranscript> {
  const denials = [...new Set([...transcript.denials, ...tools])];
  if (denials.length === transcript.denials.length) return { transcript, events: [] };
  const events = denials.slice(transcript.denials.length).map((tool): AgentEvent => ({ type: 'denial', tool }));
  return { transcript: { ...transcript, denials }, events };
}

/** A sub-agent's messages carry the call that started it, and are never the session's own words. */
function withMessage(transcript: ClaudeTranscript, event: JsonFields): ReadLine<ClaudeTranscript> {
  const message = fields(event.message);
  const isHelper = typeof event.parent_tool_use_id === 'string';
  const error = string(event.error);
  const isMadeUp = error !== undefined || message.model === '<synthetic>';
  const events = isMadeUp ? [] : eventsOf(message, isHelper ? { isHelper } : {});
  if (isHelper) return { transcript, events };
  if (isMadeUp) return { transcript: { ...transcript, at: 'work', error: error ?? 'unknown' }, events };
  const text = events.map((said) => (said.type === 'text' ? said.text : '')).join('');
  const lastText = text === '' ? transcript.lastText : text;
  return { transcript: { ...transcript, at: 'work', error: undefined, lastText }, events };
}

/** What a message says and does, block by block. */
function eventsOf(message: JsonFields, helper: { readonly isHelper?: true }): readonly AgentEvent[] {
  return list(message.content)
    .map(fields)
    .flatMap((block): AgentEvent[] => {
      const text = string(block.text);
      if (text !== undefined && text !== '') return [{ type: 'text', text, ...helper }];
      const tool = block.type === 'tool_use' ? string(block.name) : undefined;
      if (tool === undefined) return [];
      return [{ type: 'tool-call', tool, ...targetIn(fields(block.input)), ...helper }];
    });
}

/** Only `rejected` stops the work: a warning comes with runs that succeed, and so does a limit that is paid beyond. */
function withLimit(transcript: ClaudeTranscript, limit: JsonFields): ReadLine<ClaudeTranscript> {
  const resetsAt = number(limit.resetsAt);
  if (limit.status === 'rejected' && limit.isUsingOverage !== true)
    return { transcript: { ...transcript, limit: { resetsAt } }, events: [] };
  if (limit.status !== 'allowed_warning') return { transcript, events: [] };
  const reset = instantOf(resetsAt);
  return { transcript, events: [{ type: 'limit', isReached: false, ...(reset !== undefined && { resetsAt: reset }) }] };
}

/** Seconds since 1970 as ISO 8601 in UTC; `undefined` for what is no time. */
export function instantOf(seconds: number | undefined): string | undefined {
  const date = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function withResult(transcript: ClaudeTranscript, event: JsonFields): ReadLine<ClaudeTranscript> {
  const result = resultOf(event);
  const denied = list(event.permission_denials).map((denial) => string(fields(denial).tool_name) ?? 'a tool');
  const after: ClaudeTranscript = { ...transcript, at: 'rest', answer: result.text, result, usage: usageOf(event) };
  return withDenials(after, denied);
}

function resultOf(event: JsonFields): ClaudeResult {
  return {
    subtype: string(event.subtype) ?? '',
    isError: event.is_error !== false,
    text: string(event.result) ?? '',
    errors: list(event.errors).map((error) => string(error) ?? JSON.stringify(error)),
    stopReason: string(event.stop_reason),
    terminalReason: string(event.terminal_reason),
    status: number(event.api_error_status),
    errorNames: [event.api_error, event.api_error_type].filter((name) => typeof name === 'string'),
  };
}

const INPUT_TOKENS = ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'];

/**
 * Cost and tokens are those of the whole session so far, so the last result has them all. Tokens come by model, because
 * the plain `usage` leaves sub-agents out.
 */
function usageOf(event: JsonFields): Usage {
  const costUsd = number(event.total_cost_usd);
  const models = Object.values(fields(event.modelUsage)).map(fields);
  const sum = (names: readonly string[]) => models.reduce((tokens, model) => tokens + (total(model, names) ?? 0), 0);
  return {
    ...(costUsd !== undefined && { costUsd }),
    ...(models.length > 0 && { inputTokens: sum(INPUT_TOKENS), outputTokens: sum(['outputTokens']) }),
  };
}
