import type { AgentEnd } from '../../../ports/agent.ts';
import { type AgentVerdict, judgeExitCode } from '../ending.ts';
import { lastWords, sentence } from '../printed.ts';
import type { ClaudeResult, Transcript } from './events.ts';

/** Signs by which an error is known; one that fits is enough. */
interface ErrorClass {
  readonly how: AgentEnd;
  /** Names that the program gives an error, in the message it made up or in the result. */
  readonly names?: readonly string[];
  readonly statuses?: readonly number[];
  readonly terminalReasons?: readonly string[];
  readonly stopReasons?: readonly string[];
  /** Only where a version has no field for it. */
  readonly words?: RegExp;
  /** What the user can do about it. */
  readonly advice?: string;
}

/** The first class that fits counts. An error in none of them is a failed attempt. */
const ERROR_CLASSES: readonly ErrorClass[] = [
  { how: 'refused', stopReasons: ['refusal'] },
  {
    how: 'context-overflow',
    names: ['request_too_large'],
    statuses: [413],
    terminalReasons: ['prompt_too_long', 'blocking_limit'],
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
    names: ['rate_limit', 'usage_limit_reached', 'overloaded', 'connection_failed'],
    statuses: [429, 529],
    words: /^(API Error: Unable to connect to API|Claude (AI )?usage limit reached)\b/,
  },
];

/** What the program says on stderr when it will not start at all, however often it is asked. */
const WILL_NOT_START: readonly { readonly words: RegExp; readonly advice: string }[] = [
  {
    words: /cannot be used with root\/sudo privileges/,
    advice: 'Run as another user, or, inside a sandbox only, set IS_SANDBOX=1 and pass it with --pass-env IS_SANDBOX.',
  },
  { words: /native binary not installed/, advice: 'Install Claude Code again, with install scripts allowed.' },
];

/**
 * Judges a session of Claude Code that left with this exit code (R-DEL-7). It completed only if everything says so:
 * the exit code, the last result, an answer that is not empty, and no tool that was denied.
 */
export function judgeSession(
  transcript: Transcript,
  exit: { readonly code: number; readonly stderr: string },
): AgentVerdict {
  const { result } = transcript;
  if (result === undefined) return withoutResult(transcript, exit);
  if (result.isError || result.subtype !== 'success') return withError(transcript, result);
  if (exit.code !== 0) return judgeExitCode(exit.code, exit.stderr);
  if (result.denials.length > 0) {
    const tools = [...new Set(result.denials)].join(', ');
    return {
      how: 'failed',
      message: `The agent was not allowed to use: ${tools}. Allow these tools, or allow all tools.`,
    };
  }
  if (result.text.trim() === '') return { how: 'failed', message: 'The agent exited with an empty answer.' };
  return { how: 'completed', message: '' };
}

function withError(transcript: Transcript, result: ClaudeResult): AgentVerdict {
  const found = ERROR_CLASSES.find((known) => fits(known, transcript, result));
  const words = lastWords(result.errors.at(-1) ?? result.text) || result.subtype;
  const message = [sentence(`The agent reports: ${words}`), found?.advice].filter(Boolean).join(' ');
  const how = found?.how ?? 'failed';
  return { how, message, ...(how === 'rate-limited' && resetOf(transcript, resetIn(result.text))) };
}

function fits(known: ErrorClass, { error }: Transcript, result: ClaudeResult): boolean {
  const { names = [], statuses = [], terminalReasons = [], stopReasons = [], words } = known;
  return (
    [error, ...result.errorNames].some((name) => name !== undefined && names.includes(name)) ||
    (result.status !== undefined && statuses.includes(result.status)) ||
    (result.terminalReason !== undefined && terminalReasons.includes(result.terminalReason)) ||
    (result.stopReason !== undefined && stopReasons.includes(result.stopReason)) ||
    (words?.test(result.text) ?? false)
  );
}

function withoutResult(transcript: Transcript, exit: { readonly code: number; readonly stderr: string }): AgentVerdict {
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

function resetOf({ limit }: Transcript, told?: number): { readonly resetsAt?: string } {
  const seconds = limit?.resetsAt ?? told;
  if (seconds === undefined) return {};
  const reset = new Date(seconds * 1000);
  return Number.isNaN(reset.getTime()) ? {} : { resetsAt: reset.toISOString() };
}
