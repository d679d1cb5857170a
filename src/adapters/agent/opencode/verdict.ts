import { type AgentVerdict, judgeExitCode } from '../ending.ts';
import { type ErrorClass, judgeError } from '../error-class.ts';
import type { AgentExit } from '../stream-agent.ts';
import type { OpencodeError, OpencodeTranscript } from './events.ts';

const SIGN_IN = 'Sign in with "opencode auth login", or pass the key of its provider with --pass-env.';

/** Errors of opencode 1.18.33. An error in none of the classes is a failed attempt. */
const ERROR_CLASSES: readonly ErrorClass[] = [
  { how: 'context-overflow', names: ['ContextOverflowError'], statuses: [413] },
  { how: 'unauthenticated', names: ['ProviderAuthError'], statuses: [401, 403], advice: SIGN_IN },
  {
    how: 'unauthenticated',
    statuses: [402],
    words: /\binsufficient_quota\b|\bcredit balance is too low\b/i,
    advice: 'Add credit to the account, or use another account.',
  },
  {
    how: 'not-found',
    names: ['ProviderModelNotFoundError', 'ProviderInitError', 'ConfigInvalidError', 'ConfigJsonError'],
    statuses: [404],
    words: /^Model not found\b/,
    advice: 'Choose another model, as PROVIDER/MODEL; "opencode models" lists them.',
  },
  { how: 'refused', names: ['ContentFilterError'] },
  { how: 'rate-limited', statuses: [429] },
  { how: 'overloaded', statuses: 'server-error' },
  {
    how: 'overloaded',
    words: /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND)\b|^(Unable to connect|Cannot connect to API|fetch failed)/,
  },
];

/** Reasons for which a last step ended otherwise than with an answer. */
const REASONS: Readonly<Record<string, AgentVerdict>> = {
  length: { how: 'failed', message: 'The agent stopped at the longest answer that its model gives.' },
  'content-filter': { how: 'refused', message: 'The agent reports that its model refused.' },
};

/** What it prints on stderr in place of working when it does not know its arguments: its help. */
const HELP = /^opencode run \[message\.\.\]/m;

/**
 * Judges a run of opencode that left with this exit code (R-DEL-7). It has no event for the end: it completed if it left
 * with 0 and its last step ended with `stop`, or with a tool that was denied.
 */
export function judgeRun(transcript: OpencodeTranscript, exit: AgentExit): AgentVerdict {
  const { error, reason, answer, denials } = transcript;
  if (error !== undefined) return withError(error, exit.now);
  if (exit.code !== 0) return withoutError(exit);
  const told = REASONS[reason ?? ''];
  if (told !== undefined) return told;
  if (denials.length > 0) return { how: 'completed', message: '' };
  if (reason !== 'stop') return { how: 'failed', message: 'The agent exited before its last step ended.' };
  if (answer.trim() === '') return { how: 'failed', message: 'The agent exited with an empty answer.' };
  return { how: 'completed', message: '' };
}

function withError({ name, message, status, headers }: OpencodeError, now: Date): AgentVerdict {
  const verdict = judgeError({ names: [name], status, words: message }, ERROR_CLASSES);
  const resetsAt = verdict.how === 'rate-limited' ? resetOf(headers, now) : undefined;
  return { ...verdict, ...(resetsAt !== undefined && { resetsAt }) };
}

function withoutError(exit: AgentExit): AgentVerdict {
  if (!HELP.test(exit.stderr)) return judgeExitCode(exit.code, exit.stderr);
  return {
    how: 'not-found',
    message: 'The agent does not start: it does not know an argument. Correct the arguments that are set for opencode.',
  };
}

/** When the service may be asked again, by its headers. */
function resetOf(headers: OpencodeError['headers'], now: Date): string | undefined {
  const seconds = (name: string): number => Number(headers[name]?.trim() || Number.NaN);
  const wait = seconds('retry-after');
  const instants = [
    seconds('anthropic-ratelimit-unified-reset') * 1000,
    now.getTime() + seconds('retry-after-ms'),
    now.getTime() + wait * 1000,
    Date.parse(headers['retry-after'] ?? ''),
  ];
  const found = instants.map((ms) => new Date(ms)).find((date) => !Number.isNaN(date.getTime()));
  return found?.toISOString();
}
