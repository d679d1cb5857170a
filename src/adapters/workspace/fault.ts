import { GitFault } from '../../ports/git.ts';
import { StorageFault } from '../../ports/store.ts';

const KINDS: Readonly<Record<string, StorageFault['kind']>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  EROFS: 'not-writable',
};

const ADVICE: Readonly<Record<StorageFault['kind'], string>> = {
  'disk-full': 'Free some space, then run the command again.',
  'not-writable': 'Change its permissions, or set XDG_CACHE_HOME to another folder, then run the command again.',
  io: 'Check the disk, then run the command again.',
};

/** The system's code of an error, as `ENOSPC`; empty for an error of another kind. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Whether an error of the file system says that nothing is there. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
}

/** For catching what is no failure: that nothing is there. Throws any other error. */
export function nothingIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Reads at once what takes longer to be waited for than to be read; `undefined` if nothing is there. */
export function ifThere<Found>(read: () => Found): Found | undefined {
  try {
    return read();
  } catch (error) {
    return nothingIfMissing(error);
  }
}

/** What the file system said about worktrees in `dir` as the fault that is told to people; any other error as it is. */
export function faultIn(dir: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof GitFault || error instanceof StorageFault || !/^E[A-Z0-9]+$/.test(code)) return error;
  const kind = KINDS[code] ?? 'io';
  const said = error instanceof Error ? error.message : code;
  return new StorageFault(kind, dir, `Cannot create, find or remove a worktree in ${dir}: ${said}. ${ADVICE[kind]}`);
}
