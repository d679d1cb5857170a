import type { AgentVerdict } from '../ending.ts';
import { judgeExitCode } from '../ending.ts';
import { classOf, type ErrorClass, judgeError } from '../error-class.ts';
import { fields, type JsonFields, number, string } from '../json-fields.ts';
import { resetTimeIn } from '../reset-time.ts';
import type { AgentExit } from '../stream-agent.ts';
import type { Conversation, ConversationStep } from './state.ts';

/**
 * Recorded with claude-agent-acp 0.101.0 (`errorKind`), codex-acp 0.16.0 (`codex_error_info`), opencode 1.18.33
 * (`errorName`, with the status only in the words of its service) and Gemini CLI 0.61.0, whose code is the HTTP status.
 * Words are the agent's own message of its error.
 */
const ERRORS: readonly ErrorClass[] = [
  {
    how: 'unauthenticated',
    names: ['-32000', 'authentication_failed', 'unauthorized', 'ProviderAuthError', 'billing_error'],
    statuses: [401, 402, 403],
    words: /\bauthentication (?:required|failed)\b|\bnot (?:logged|signed) in\b|\b(?:invalid|incorrect) api key\b/i,
    advice: 'Sign in by starting the agent in a terminal, or pass its key with --pass-env.',
  },
  {
    how: 'context-overflow',
    names: ['context_window_exceeded', 'prompt_too_long', 'request_too_large', 'ContextOverflowError'],
    statuses: [413],
    words: /\bprompt is too long\b/i,
  },
  {
    how: 'rate-limited',
    names: ['rate_limit', 'usage_limit_exceeded', 'usage_limit_reached'],
    statuses: [429],
    words: /\busage limit\b|\bhit your (?:\w+ )?limit\b|\brate limit (?:reached|exceeded)\b/i,
  },
  { how: 'not-found', names: ['model_not_found'], statuses: [404], advice: 'Choose another model.' },
  { how: 'refused', names: ['refusal', 'cyber_policy'] },
  {
    how: 'overloaded',
    names: [
      ...['server_error', 'overloaded', 'server_overloaded', 'internal_server_error', 'connection_failed'],
      ...['http_connection_failed', 'response_stream_connection_failed', 'response_stream_disconnected'],
    ],
    statuses: 'server-error',
  },
];

const NO_RESPONSE =
  'The program gave no response in the Agent Client Protocol. Many agents need an argument to speak it, such as --acp or acp.';

const STOP_REASONS: ReadonlyMap<string, AgentVerdict> = new Map([
  ['end_turn', { how: 'completed', message: '' }],
  ['refusal', { how: 'refused', message: 'The agent refused the task.' }],
  ['max_tokens', { how: 'failed', message: 'The agent stopped at its limit of tokens.' }],
  ['max_turn_requests', { how: 'failed', message: 'The agent stopped at its limit of turns.' }],
  ['cancelled', { how: 'failed', message: 'The agent cancelled its turn.' }],
]);

/** Judges a conversation whose agent left, or stayed although it was through (R-DEL-7). Only the end of its turn completes it. */
export function judgeTurn({ at, end }: Conversation, { code, stderr, now }: AgentExit): AgentVerdict {
  if (at === 'opening' && code === 0) return { how: 'not-found', message: NO_RESPONSE };
  if (end === undefined)
    return code === 0
      ? { how: 'failed', message: 'The agent exited before the end of its turn.' }
      : judgeExitCode(code, stderr);
  if ('obstacle' in end) return { how: 'not-found', message: end.obstacle };
  if ('error' in end) return withError(end.error, end.during, now);
  const known = STOP_REASONS.get(end.stopReason);
  return known ?? { how: 'failed', message: `The agent ended its turn with an unknown reason: "${end.stopReason}".` };
}

function withError(error: JsonFields, during: ConversationStep, now: Date): AgentVerdict {
  const data = fields(error.data);
  const code = number(error.code);
  const words = wordsOf(error);
  const reported = {
    names: [String(code), string(data.errorKind), nameIn(data.codex_error_info), string(data.errorName)],
    status: number(data.status) ?? number(data.statusCode) ?? code,
    words,
  };
  const verdict = judgeError(reported, ERRORS);
  const isKnown = classOf(reported, ERRORS) !== undefined;
  // What is refused before there is a session is refused every time.
  if (!isKnown && (during === 'initialize' || during === 'model')) return { ...verdict, how: 'not-found' };
  const resetsAt = verdict.how === 'rate-limited' ? resetTimeIn(words, now) : undefined;
  return { ...verdict, ...(resetsAt !== undefined && { resetsAt }) };
}

/** Its message, and the details that some agents have apart from it. */
function wordsOf({ message, data }: JsonFields): string {
  const details = string(data) ?? string(fields(data).message) ?? string(fields(data).details);
  return [string(message), details].filter((text) => text !== undefined).join(': ') || 'an error without a message';
}

/** A name, or an object whose only key it is. */
function nameIn(info: unknown): string | undefined {
  return string(info) ?? Object.keys(fields(info))[0];
}
