import { type AgentVerdict, judgeExitCode } from '../ending.ts';
import { type ErrorClass, judgeError } from '../error-class.ts';
import { lastWords, sentence } from '../printed.ts';
import { resetTimeIn } from '../reset-time.ts';
import type { AgentExit } from '../stream-agent.ts';
import type { CodexTranscript } from './events.ts';

const SIGN_IN = 'Sign in with "codex login", or set CODEX_API_KEY or OPENAI_API_KEY.';

/** Errors of Codex 0.171.0, which tells them as texts. An error in none of the classes is a failed attempt. */
const ERROR_CLASSES: readonly ErrorClass[] = [
  { how: 'rate-limited', words: /^You[’']ve (hit|reached) your usage limit\b/ },
  {
    how: 'unauthenticated',
    words: /^Quota exceeded\b|\binsufficient_quota\b/,
    advice: 'Add credit to the account, or use another account.',
  },
  {
    how: 'unauthenticated',
    statuses: [401, 403],
    words: /^(Your (access|refresh) token|Your session has|Missing environment variable: |Not logged in\b)/,
    advice: SIGN_IN,
  },
  {
    how: 'context-overflow',
    words: /^Codex ran out of room in the model's context window\b|\bcontext_length_exceeded\b/,
    statuses: [413],
  },
  {
    how: 'not-found',
    statuses: [404],
    words: /^The model\b.*\bdoes not exist\b|\bmodel_not_found\b|\bmodel is not supported\b/,
    advice: 'Choose another model.',
  },
  { how: 'refused', words: /\bcontent_filter\b|\busage policy\b|\b(flagged|limited access) .*\bsafety\b/i },
  { how: 'overloaded', statuses: [429] },
  { how: 'overloaded', statuses: 'server-error' },
  {
    how: 'overloaded',
    words:
      /^(We[’']re currently experiencing high demand|Selected model is at capacity|[Rr]ate limit (exceeded|reached)|stream disconnected before completion|Reconnecting\.\.\. waiting for network|error sending request|Connection failed)/,
  },
];

/** What it says on stderr when it will not start at all, however often it is asked. */
const WILL_NOT_START =
  /^error: (unexpected argument|invalid value|the argument|unrecognized subcommand)|^Error (loading config|parsing -c)/m;

/**
 * Judges a run of `codex exec` that left with this exit code (R-DEL-7): it completed if it left with 0 after a turn that
 * it says is completed. A command that failed in it fails nothing.
 */
export function judgeTurn({ turn, answer, denials }: CodexTranscript, exit: AgentExit): AgentVerdict {
  if (turn?.how === 'failed') return withError(turn.message, exit.now);
  if (exit.code !== 0) return withoutTurn(exit);
  if (turn === undefined) return { how: 'failed', message: 'The agent exited without a result.' };
  if (answer.trim() === '' && denials.length === 0)
    return { how: 'failed', message: 'The agent exited with an empty answer.' };
  return { how: 'completed', message: '' };
}

function withError(words: string, now: Date): AgentVerdict {
  const status = /\b(?:unexpected|last) status:? (\d{3})\b/.exec(words)?.[1];
  const verdict = judgeError({ words, status: status === undefined ? undefined : Number(status) }, ERROR_CLASSES);
  const resetsAt = verdict.how === 'rate-limited' ? resetTimeIn(words, now) : undefined;
  return { ...verdict, ...(resetsAt !== undefined && { resetsAt }) };
}

function withoutTurn({ code, stderr }: AgentExit): AgentVerdict {
  if (!WILL_NOT_START.test(stderr)) return judgeExitCode(code, stderr);
  const line = stderr.split('\n').find((text) => WILL_NOT_START.test(text)) ?? stderr;
  return {
    how: 'not-found',
    message: `${sentence(`The agent does not start: ${lastWords(line)}`)} Correct the arguments and settings of codex.`,
  };
}
