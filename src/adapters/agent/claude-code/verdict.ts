import { type AgentVerdict, judgeExitCode } from '../ending.ts';
import { type ErrorClass, judgeError } from '../error-class.ts';
import { lastWords, sentence } from '../printed.ts';
import type { AgentExit } from '../stream-agent.ts';
import { type ClaudeResult, type ClaudeTranscript, instantOf } from './events.ts';

/** The name that we give a limit which an event of its own told. */
const LIMIT_EVENT = 'rate_limit_event';

/** Errors of Claude Code 2.1.197 and 2.1.332. An error in none of the classes is a failed attempt. */
const ERROR_CLASSES: readonly ErrorClass[] = [
  { how: 'refused', names: ['refusal'] },
  { how: 'over-budget', names: ['error_max_budget_usd'] },
  {
    how: 'context-overflow',
    names: ['request_too_large', 'prompt_too_long', 'blocking_limit'],
    statuses: [413],
  },
  {
    how: 'unauthenticated',
    names: ['authentication_failed'],
    statuses: [401, 403],
    advice: 'Sign in by starting "claude" in a terminal, or set ANTHROPIC_API_KEY.',
  },
  {
    how: 'unauthenticated',
    names: ['billing_error'],
    words: /^Credit balance is too low\b/,
    advice: 'Add credit to the account, or use another account.',
  },
  { how: 'not-found', names: ['model_not_found'], statuses: [404], advice: 'Choose another model.' },
  {
    how: 'rate-limited',
    names: ['usage_limit_reached', LIMIT_EVENT],
    words: /^(You've hit your limit|Claude (AI )?usage limit reached)\b/,
  },
  // A limit of a key on requests per minute is over as soon as an overload is.
  { how: 'overloaded', names: ['rate_limit', 'overloaded', 'connection_failed', 'server_error'], statuses: [429] },
  { how: 'overloaded', statuses: 'server-error', words: /^API Error: Unable to connect to API\b/ },
];

/** What the program says on stderr when it will not start at all, however often it is asked. */
const WILL_NOT_START: readonly { readonly words: RegExp; readonly advice: string }[] = [
  {
    words: /cannot be used with root\/sudo privileges/,
    advice: 'Run as another user, or, inside a sandbox only, set IS_SANDBOX=1 and pass it with --pass-env IS_SANDBOX.',
  },
  { words: /native binary not installed/, advice: 'Install Claude Code again, with install scripts allowed.' },
  {
    words: /^error: (unknown option|option '.*' argument '.*' is invalid)/m,
    advice: 'Correct the arguments set for it.',
  },
];

/**
 * Judges a session of Claude Code that left with this exit code (R-DEL-7). It completed only if everything says so: the
 * exit code, the last result, and an answer that is not empty. What a tool that was denied means is not for us to say.
 */
export function judgeSession(transcript: ClaudeTranscript, exit: AgentExit): AgentVerdict {
  const { result, denials } = transcript;
  if (result === undefined) return withoutResult(transcript, exit);
  if (result.isError || result.subtype !== 'success') return withError(transcript, result);
  if (exit.code !== 0) return judgeExitCode(exit.code, exit.stderr);
  if (result.text.trim() === '' && denials.length === 0)
    return { how: 'failed', message: 'The agent exited with an empty answer.' };
  return { how: 'completed', message: '' };
}

function withError(transcript: ClaudeTranscript, result: ClaudeResult): AgentVerdict {
  const { error, limit } = transcript;
  const isLimit = limit !== undefined && (error === 'rate_limit' || result.status === 429);
  const { errorNames, terminalReason, stopReason, subtype, status } = result;
  const words = lastWords(result.errors.at(-1) ?? '') || result.text || subtype;
  const names = [error, ...errorNames, terminalReason, stopReason, subtype, ...(isLimit ? [LIMIT_EVENT] : [])];
  const verdict = judgeError({ names, status, words }, ERROR_CLASSES);
  return { ...verdict, ...(verdict.how === 'rate-limited' && resetOf(transcript, resetIn(result.text))) };
}

function withoutResult(transcript: ClaudeTranscript, exit: AgentExit): AgentVerdict {
  const obstacle = WILL_NOT_START.find(({ words }) => words.test(exit.stderr));
  if (obstacle !== undefined) {
    return {
      how: 'not-found',
      message: `${sentence(`The agent does not start: ${lastWords(exit.stderr)}`)} ${obstacle.advice}`,
    };
  }
  if (transcript.limit !== undefined) {
    return { how: 'rate-limited', message: 'The agent stopped at a usage limit.', ...resetOf(transcript) };
  }
  return exit.code === 0
    ? { how: 'failed', message: 'The agent exited without a result.' }
    : judgeExitCode(exit.code, exit.stderr);
}

/** Older versions write the end of a limit after their message, as a Unix time in seconds. */
function resetIn(text: string): number | undefined {
  const seconds = /^Claude (?:AI )?usage limit reached\|(\d{9,11})$/.exec(text.trim())?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

function resetOf({ limit }: ClaudeTranscript, told?: number): { readonly resetsAt?: string } {
  const resetsAt = instantOf(limit?.resetsAt ?? told);
  return resetsAt === undefined ? {} : { resetsAt };
}
