import { type AgentVerdict, judgeExitCode } from '../ending.ts';
import { type ErrorClass, judgeError } from '../error-class.ts';
import { fields, parseFields, string } from '../json-fields.ts';
import { lastWords, sentence } from '../printed.ts';
import { resetTimeIn } from '../reset-time.ts';
import type { AgentExit } from '../stream-agent.ts';
import type { GeminiTranscript } from './events.ts';

const SIGN_IN = 'Sign in by starting "gemini" in a terminal, or set GEMINI_API_KEY.';

/** Errors of Gemini CLI 0.61.0, by the status of its service. An error in none of the classes is a failed attempt. */
const ERROR_CLASSES: readonly ErrorClass[] = [
  {
    how: 'rate-limited',
    words: /^You have exhausted your (daily quota|capacity)\b|\b(quota will reset|Please retry) (after|in) [\d.]/,
  },
  {
    how: 'unauthenticated',
    names: ['UNAUTHENTICATED', 'PERMISSION_DENIED'],
    statuses: [401, 403],
    words: /^API key (not valid|expired)\b|\bAPI_KEY_INVALID\b/,
    advice: SIGN_IN,
  },
  {
    how: 'context-overflow',
    statuses: [413],
    words: /\binput token count\b.*\bexceeds\b|\bcontext window\b.*\boverflow/i,
  },
  {
    how: 'not-found',
    names: ['NOT_FOUND'],
    statuses: [404],
    words: /^models\/\S+ is not found\b|^The model\b.*\bdoes not exist\b/,
    advice: 'Choose another model.',
  },
  { how: 'refused', words: /\b(blocked|prohibited)\b.*\b(safety|content|policy)\b/i },
  { how: 'overloaded', statuses: [429], names: ['RESOURCE_EXHAUSTED', 'UNAVAILABLE'] },
  {
    how: 'overloaded',
    statuses: 'server-error',
    words: /\bfetch failed\b|\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND)\b/,
  },
];

/** Exit codes with which it says what keeps it from working. All attempts would end so, those with 53 aside. */
const EXITS: Readonly<Record<number, Pick<AgentVerdict, 'how'> & { readonly advice: string }>> = {
  41: { how: 'unauthenticated', advice: SIGN_IN },
  44: { how: 'not-found', advice: 'Correct the sandbox that gemini is set to use.' },
  52: { how: 'not-found', advice: 'Correct the settings of gemini.' },
  53: { how: 'failed', advice: 'It used up the turns that its setting model.maxSessionTurns allows.' },
  55: { how: 'not-found', advice: 'Trust this folder by starting "gemini" in it in a terminal.' },
};

/** What it says on stderr about arguments that it does not know. */
const WRONG_ARGUMENTS = /^(Unknown arguments?:|Invalid values:|Cannot use both\b|Not enough arguments following:)/m;

/**
 * Judges a session of Gemini CLI that left with this exit code (R-DEL-7): it completed if it left with 0 after a result
 * that says `success`, tokens were used, and the model said something. It leaves with 0 also when it is stopped, and when
 * it gave up a prompt before it asked its service.
 */
export function judgeSession({ result, answer, usage, denials }: GeminiTranscript, exit: AgentExit): AgentVerdict {
  if (result !== undefined && result.status !== 'success') return withError(result.error, exit);
  if (exit.code !== 0) return withoutResult(exit);
  if (result === undefined) return { how: 'failed', message: 'The agent exited without a result.' };
  if (answer.trim() !== '' || (denials.length > 0 && used(usage))) return completed(usage);
  return { how: 'failed', message: 'The agent exited with an empty answer.' };
}

function completed(usage: GeminiTranscript['usage']): AgentVerdict {
  if (usage.inputTokens === undefined || used(usage)) return { how: 'completed', message: '' };
  return { how: 'failed', message: 'The agent exited without asking its model.' };
}

function used({ inputTokens = 0, outputTokens = 0 }: GeminiTranscript['usage']): boolean {
  return inputTokens + outputTokens > 0;
}

/** The exit code is the status of its service, as far as it fits into a byte. */
function withError(error: string, { code, now }: AgentExit): AgentVerdict {
  const told = EXITS[code];
  if (told !== undefined) return { how: told.how, message: reported(error, told.advice) };
  const { words, name } = unwrapped(error);
  const status = STATUSES.find((known) => known % 256 === code);
  const verdict = judgeError({ words, names: [name], status }, ERROR_CLASSES);
  const resetsAt = verdict.how === 'rate-limited' ? resetTimeIn(words, now) : undefined;
  return { ...verdict, ...(resetsAt !== undefined && { resetsAt }) };
}

const STATUSES = [400, 401, 403, 404, 408, 413, 429, 499, 500, 502, 503, 504, 529];

/** The message within `[API Error: …]`, and the name that the service gives the error. After it may come advice. */
function unwrapped(error: string): { readonly words: string; readonly name: string | undefined } {
  const whole = /^\[API Error: ([\s\S]*)\]/.exec(error.trim())?.[1] ?? error;
  const told = toldIn(whole);
  return told ?? { words: whole.split(/\]?\n/, 1)[0] ?? whole, name: undefined };
}

/** What the JSON of a service says of an error; its message may be such JSON once more. */
function toldIn(text: string): { readonly words: string; readonly name: string | undefined } | undefined {
  const { message, status } = fields(parseFields(text).error);
  const words = string(message);
  return words === undefined ? undefined : (toldIn(words) ?? { words, name: string(status) });
}

function withoutResult({ code, stderr }: AgentExit): AgentVerdict {
  const told = EXITS[code];
  if (told !== undefined) return { how: told.how, message: reported(stderr, told.advice) };
  if (!WRONG_ARGUMENTS.test(stderr)) return judgeExitCode(code, stderr);
  const line = stderr.split('\n').find((text) => WRONG_ARGUMENTS.test(text)) ?? stderr;
  return { how: 'not-found', message: reported(line, 'Correct the arguments that are set for gemini.') };
}

function reported(words: string, advice: string): string {
  return `${sentence(`The agent reports: ${lastWords(words)}`)} ${advice}`;
}
