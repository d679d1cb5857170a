import { statfsSync } from 'node:fs';
import { GitFault } from '../../ports/git.ts';
import type { GitAnswer } from './program.ts';

/** The lock file that another program holds and git could not get; `undefined` if git failed otherwise or not at all. */
export function heldLock({ code, stderr }: GitAnswer): string | undefined {
  return code === 0 ? undefined : /Unable to create '(.+?\.lock)': File exists/.exec(stderr)?.[1];
}

/**
 * Whether git failed over what is about to pass: a lock that another program holds, or a worktree that another git is
 * just adding and whose files it met half written.
 */
export function isPassing(answer: GitAnswer): boolean {
  const metHalfMade = answer.code !== 0 && /failed to read .*\bworktrees\/.+\/commondir/.test(answer.stderr);
  return metHalfMade || heldLock(answer) !== undefined;
}

/** The fault that a failed call of `git <verb>` is, with a message that says what to do where that is known. */
export function faultOf(verb: string, answer: GitAnswer): GitFault {
  const kind = kindOf(answer);
  if (kind !== 'disk-full') return new GitFault(kind, `git ${verb} failed: ${reason(answer)}`);
  return new GitFault(kind, `The disk is full: git ${verb} said "${firstLine(answer)}".`);
}

/** What git says of a file that it cannot take: its form, its filter, its rights, its name. */
const UNFIT =
  /unable to index file|failed to encode|BOM is (required|prohibited)|would be replaced by|clean filter '.*' failed|can only add regular files|[Ii]nvalid path '|short read while indexing|Unable to process path/;

const UNFIT_CHARS_MAX = 2_000;

function kindOf(answer: GitAnswer): GitFault['kind'] {
  const { code, stderr, stopped } = answer;
  if (/No space left on device|Disk quota exceeded|Out of diskspace/.test(stderr)) return 'disk-full';
  if (stopped === 'no' && hasNoRoom(answer.dir)) return 'disk-full';
  if (UNFIT.test(stderr) && !/repository database/.test(stderr)) return 'unfit';
  if (/Permission denied|Read-only file system|Operation not permitted/.test(stderr)) return 'not-writable';
  const wasEnded = stopped === 'too-long' || (code === undefined && stopped === 'no');
  return wasEnded || isPassing(answer) ? 'passing' : 'other';
}

/** So much must be left of a disk for a failure of git to have another reason. */
const BYTES_LEFT_MIN = 256 * 1024;
const ENTRIES_LEFT_MIN = 4;

/** Whether the disk that git works on is full by now, of which git often tells no more than that it could not write. */
function hasNoRoom(dir: string): boolean {
  try {
    const { blocks, bsize, bavail, bfree, files, ffree } = statfsSync(dir);
    const left = process.getuid?.() === 0 ? bfree : bavail; // A part may be kept for the superuser.
    return (blocks > 0 && left * bsize < BYTES_LEFT_MIN) || (files > 0 && ffree < ENTRIES_LEFT_MIN);
  } catch {
    return false; // Nothing is known of it.
  }
}

function reason(answer: GitAnswer): string {
  const lock = heldLock(answer);
  if (lock !== undefined)
    return `another program holds ${lock}. Wait for it to end; if no git command is running there, delete that file.`;
  if (answer.stopped === 'too-long') return 'it took too long and was stopped.';
  if (answer.stopped === 'too-much') return 'it printed more than specloop can read.';
  // Which file, and what is wrong with it, are in different lines.
  if (kindOf(answer) === 'unfit') return answer.stderr.trim().slice(0, UNFIT_CHARS_MAX);
  return `${firstLine(answer)}.`;
}

/** Git's own complaint, which may be after warnings and hints. */
function firstLine({ code, stderr }: GitAnswer): string {
  const lines = stderr.split('\n').filter((text) => text.trim() !== '');
  const complaint = lines.find((text) => /^(fatal|error): /.test(text)) ?? lines[0];
  if (complaint === undefined) return code === undefined ? 'it was killed by a signal' : `exit code ${code}`;
  return complaint.replace(/^(fatal|error): /, '').replace(/[.\s]+$/, '');
}

/** An error of the file system as the fault it is; any other error comes back as it is. */
export function faultOfDisk(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof GitFault || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error;
  const full = code === 'ENOSPC' || code === 'EDQUOT';
  const closed = code === 'EACCES' || code === 'EROFS' || code === 'EPERM';
  const short = code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM' || code === 'EAGAIN';
  return new GitFault(
    full ? 'disk-full' : closed ? 'not-writable' : short ? 'passing' : 'other',
    `The working tree could not be read or written: ${message}.`,
  );
}

/** The same port, where what the file system says has become the fault that the port promises. */
export function withFaults<Port extends object>(port: Port): Port {
  const guarded = Object.entries(port).map(([name, method]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw faultOfDisk(error);
      }
    },
  ]);
  return Object.fromEntries(guarded);
}
