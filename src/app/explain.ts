import { storageFault } from '../adapters/store/storage-fault.ts';
import { UserError } from '../core/user-error.ts';
import { GitFault } from '../ports/git.ts';
import { StorageFault } from '../ports/store.ts';

/** A fault that ends a run which has begun: whatever it is, the run can be resumed (R-ADV-6). */
export class HaltedRun extends Error {
  readonly fault: unknown;
  constructor(fault: unknown) {
    super('The run was halted.');
    this.fault = fault;
  }
}

/** What went wrong, for people; without a hint the message says what to do. */
export interface Explanation {
  readonly message: string;
  readonly hint?: string;
  /** A disk or a quota is full: it is no mistake of anybody's. */
  readonly isFull?: true;
}

/**
 * An error in words, if it is a mistake of the user or a known fault of the system; `undefined` for a bug in specloop. What the
 * system refused is a fault of it, wherever it came up (R-UX-4).
 */
export function explain(error: unknown): Explanation | undefined {
  if (error instanceof HaltedRun) return explain(error.fault);
  if (error instanceof UserError) return { message: error.message, hint: error.hint };
  if (error instanceof StorageFault) return { message: error.message, ...fullness(error) };
  if (error instanceof GitFault) return { message: error.message, hint: GIT_HINTS[error.kind], ...fullness(error) };
  if (isOfTheSystem(error)) return explain(storageFault(error, doing(error.syscall), error.path ?? 'a file'));
  return undefined;
}

function fullness({ kind }: StorageFault | GitFault): Pick<Explanation, 'isFull'> {
  return kind === 'disk-full' ? { isFull: true } : {};
}

/** What the system answered to a system call, as `ENAMETOOLONG` of `stat`. */
type SystemError = NodeJS.ErrnoException & { readonly syscall: string };

function isOfTheSystem(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code));
}

function doing(syscall: string): 'read' | 'write' {
  return /^(open|read|scandir|readlink|realpath|l?stat|access|uv_cwd)/.test(syscall) ? 'read' : 'write';
}

const GIT_HINTS: Readonly<Record<GitFault['kind'], string>> = {
  'disk-full': 'Free some space, then run the command again.',
  'not-writable': 'Change its permissions so that you can write there, then run the command again.',
  passing: 'Then run the command again. Completed work is not repeated.',
  unfit: 'Change or remove that file, then run the command again.',
  other: 'Fix this, then run the command again; "specloop doctor" checks the repository.',
};
