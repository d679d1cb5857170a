import type { ToolCall } from '../../../core/agent/agent-event.ts';
import type { Usage } from '../../../ports/agent.ts';

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
  /** Tools that the model wanted to use and was not allowed to. */
  readonly denials: readonly string[];
  readonly usage: Usage;
}

/** What is known from the lines read so far. */
export interface Transcript {
  /** Whether the program is at work, or has given a result since and should leave. */
  readonly at: 'work' | 'rest';
  /** What the model itself said last, subagents aside. */
  readonly lastText: string;
  /** Name of the error in whose place the program made up the model's last message. */
  readonly error: string | undefined;
  /** The usage limit that stopped the work; `resetsAt` in seconds since 1970, if told. */
  readonly limit: { readonly resetsAt: number | undefined } | undefined;
  /** The last one: a session may give several, and each replaces the one before. */
  readonly result: ClaudeResult | undefined;
}

export const EMPTY_TRANSCRIPT: Transcript = {
  at: 'work',
  lastText: '',
  error: undefined,
  limit: undefined,
  result: undefined,
};

type EventFields = Readonly<Record<string, unknown>>;

/**
 * Takes one line of `--output-format stream-json`. Lines that are no JSON object, and events and fields that are not
 * known, change nothing: the format grows with every version.
 */
export function readLine(transcript: Transcript, line: string): Transcript {
  const event = parseFields(line);
  switch (event.type) {
    case 'system':
      return event.subtype === 'init' ? { ...transcript, at: 'work' } : transcript;
    case 'assistant':
      // A subagent's messages carry the call that started it.
      return typeof event.parent_tool_use_id === 'string' ? transcript : withMessage(transcript, event);
    case 'rate_limit_event':
      return { ...transcript, limit: limitOf(fields(event.rate_limit_info)) ?? transcript.limit };
    case 'result':
      return { ...transcript, at: 'rest', result: resultOf(event) };
    default:
      return transcript;
  }
}

/** The last tool that the model begins to use in this line, subagents included; `undefined` for none. */
export function toolUseIn(line: string): ToolCall | undefined {
  if (!line.includes('"tool_use"')) return undefined;
  const blocks = list(fields(parseFields(line).message).content).map(fields);
  const use = blocks.findLast(({ type }) => type === 'tool_use');
  const tool = string(use?.name);
  if (tool === undefined) return undefined;
  const input = fields(use?.input);
  const target = TARGETS.map((name) => string(input[name])).find((text) => text !== undefined);
  return { type: 'tool-call', tool, ...(target === undefined ? {} : { target }) };
}

/** Fields of a tool's input that say what it is used on, the most telling first. */
const TARGETS = ['file_path', 'notebook_path', 'path', 'command', 'pattern', 'url', 'query', 'description'];

function withMessage(transcript: Transcript, event: EventFields): Transcript {
  const message = fields(event.message);
  const error = string(event.error);
  if (error !== undefined || message.model === '<synthetic>')
    return { ...transcript, at: 'work', error: error ?? 'unknown' };
  const said = list(message.content).map((block) => string(fields(block).text) ?? '');
  const text = said.join('');
  return {
    ...transcript,
    at: 'work',
    error: undefined,
    lastText: text === '' ? transcript.lastText : text,
  };
}

/** Only `rejected` stops the work: a warning comes with runs that succeed, and so does a limit that is paid beyond. */
function limitOf(limit: EventFields): Transcript['limit'] {
  if (limit.status !== 'rejected' || limit.isUsingOverage === true) return undefined;
  return { resetsAt: number(limit.resetsAt) };
}

function resultOf(event: EventFields): ClaudeResult {
  return {
    subtype: string(event.subtype) ?? '',
    isError: event.is_error !== false,
    text: string(event.result) ?? '',
    errors: list(event.errors).map((error) => string(error) ?? JSON.stringify(error)),
    stopReason: string(event.stop_reason),
    terminalReason: string(event.terminal_reason),
    status: number(event.api_error_status),
    errorNames: [event.api_error, event.api_error_type].filter((name) => typeof name === 'string'),
    denials: list(event.permission_denials).map((denial) => string(fields(denial).tool_name) ?? 'a tool'),
    usage: usageOf(event),
  };
}

/**
 * Cost and tokens are those of the whole session so far, so the last result has them all. Tokens come by model, because
 * the plain `usage` leaves subagents out.
 */
function usageOf(event: EventFields): Usage {
  const costUsd = number(event.total_cost_usd);
  const models = Object.values(fields(event.modelUsage)).map(fields);
  const total = (...names: readonly string[]) =>
    models.flatMap((model) => names.map((name) => number(model[name]) ?? 0)).reduce((sum, tokens) => sum + tokens, 0);
  return {
    ...(costUsd !== undefined && { costUsd }),
    ...(models.length > 0 && {
      inputTokens: total('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
      outputTokens: total('outputTokens'),
    }),
  };
}

function parseFields(line: string): EventFields {
  try {
    return fields(JSON.parse(line));
  } catch {
    // Not an event; the log of the attempt has it.
    return {};
  }
}

function fields(value: unknown): EventFields {
  return typeof value === 'object' && value !== null ? (value as EventFields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
