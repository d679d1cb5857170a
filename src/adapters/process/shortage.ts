import { tmpdir } from 'node:os';

/** What this machine lacks to start any program, as one message with what to do; `error` is what the system said. */
export function shortage(error: NodeJS.ErrnoException): string {
  const temporary = `Cannot create temporary files in ${tmpdir()} (TMPDIR)`;
  const other = 'Set TMPDIR to a folder that you can write, then run the command again.';
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `${temporary}: the disk is full. Free some space, then run the command again.`;
    case 'ENOENT':
      return error.syscall?.startsWith('spawn')
        ? 'The program mkfifo was not found. Install it (it belongs to coreutils), then run the command again.'
        : `${temporary}: the folder does not exist. ${other}`;
    case 'ENOTDIR':
      return `${temporary}: it is not a folder. ${other}`;
    case 'EACCES':
    case 'EPERM':
      return `${temporary}: permission is denied. ${other}`;
    case 'EROFS':
      return `${temporary}: the file system is read-only. ${other}`;
    case 'EMFILE':
      return 'No program can be started: too many files are open. Raise the limit ("ulimit -n"), then run the command again.';
    case 'ENFILE':
      return 'No program can be started: too many files are open on this machine. Close some programs, then run the command again.';
    case 'EAGAIN':
      return 'No program can be started: too many processes are running. Raise the limit ("ulimit -u") or end some, then run the command again.';
    case 'ENOMEM':
      return 'No program can be started: out of memory. Close some programs, then run the command again.';
    default:
      return `No program can be started: the system reported "${error.message}". Fix this, then run the command again.`;
  }
}
