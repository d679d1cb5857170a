import type { PushRefusal } from '../../../ports/remote.ts';
import type { GitAnswer } from '../program.ts';
import { troubleOf } from './trouble.ts';

/** Why a push failed. */
export interface FailedPush {
  readonly cause: PushRefusal;
  /** Whether the remote may have taken the commit all the same: a connection, or git, ended before the answer. */
  readonly isUncertain: boolean;
}

/** Reads what `git push --porcelain` answered; `undefined` if the branch there is at the commit now. */
export function failureOf(answer: GitAnswer, branch: string): FailedPush | undefined {
  if (answer.code === 0 && answer.stopped === 'no') return undefined;
  const lines = statusLines(answer, branch);
  const rejected = lines.find((line) => /^!\t.*\[(remote )?rejected\]/.test(line));
  if (rejected !== undefined) return { cause: causeOf(rejected, answer.stderr), isUncertain: false };
  if (NOT_TO_BE_SENT.test(answer.stderr)) return { cause: 'other', isUncertain: false };
  if (isFromHook(answer, lines)) return { cause: 'hook', isUncertain: true };
  return { cause: troubleOf(answer) ?? 'other', isUncertain: true };
}

/** Whether a push that left the branch there at the commit also moved it there: git says `=` if not, or a hook stopped git before. */
export function broughtSomething(answer: GitAnswer, branch: string): boolean {
  const lines = statusLines(answer, branch);
  return !lines.some((line) => line.startsWith('=')) && !isFromHook(answer, lines);
}

/** Git sends nothing: there is no such commit here, or a submodule's commit would be missing there. */
const NOT_TO_BE_SENT = /^(error: src refspec |The following submodule paths contain changes)/m;

/** The lines about the branch, as `!<tab><commit>:refs/heads/<branch><tab>[rejected] (fetch first)`. A hook prints there as well. */
function statusLines({ stdout }: GitAnswer, branch: string): readonly string[] {
  return stdout
    .toString()
    .split('\n')
    .filter((line) => /^[ +*=!-]\t/.test(line) && line.includes(`:refs/heads/${branch}\t`));
}

/** Git fails in this way, without a line about the branch, when the user's `pre-push` hook says no. */
function isFromHook({ code, stderr, stopped }: GitAnswer, lines: readonly string[]): boolean {
  const wasCutOff = /^(error: RPC failed|fatal: the remote end hung up)/m.test(stderr);
  return code === 1 && stopped === 'no' && lines.length === 0 && !wasCutOff;
}

const BEHIND = /non-fast-forward|fetch first|needs force|stale info/;
/** Somebody else's push was a moment faster than ours. */
const OVERTAKEN = /is at \S+ but expected|reference already exists|incorrect old value/;
const PROTECTED =
  /GH006|protected branch|protected ref|Changes must be made through a pull request|not allowed to push.* protected/i;
const WITHOUT_RIGHT = /refusing to allow|not allowed to push|permission/i;

/** Only what the remote said itself is read: lines of a `pre-push` hook may be about anything. */
function causeOf(rejected: string, stderr: string): PushRefusal {
  const reason = rejected.slice(rejected.lastIndexOf('\t') + 1);
  const said = stderr
    .split('\n')
    .filter((line) => line.startsWith('remote:'))
    .join('\n');
  if (BEHIND.test(reason) || OVERTAKEN.test(said)) return 'behind';
  if (PROTECTED.test(reason) || PROTECTED.test(said)) return 'protected';
  if (WITHOUT_RIGHT.test(reason) || WITHOUT_RIGHT.test(said)) return 'denied';
  return /declined|hook/i.test(reason) ? 'hook' : 'other';
}
