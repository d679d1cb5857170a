import { StorageFault } from '../../ports/store.ts';
import { codeOf } from './disk.ts';

const KINDS: Readonly<Record<string, StorageFault['kind']>> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'not-writable',
  EPERM: 'not-writable',
  EROFS: 'not-writable',
  ELOOP: 'not-writable',
  ENOENT: 'not-writable',
  ENOTDIR: 'not-writable',
  EISDIR: 'not-writable',
  ENOTEMPTY: 'not-writable',
  EEXIST: 'not-writable',
  ENAMETOOLONG: 'not-writable',
};

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space, then run the command again.',
  EDQUOT: 'your disk quota is used up. Free some space, then run the command again.',
  EACCES: 'permission is denied. Change its permissions, then run the command again.',
  EPERM: 'permission is denied. Change its permissions, then run the command again.',
  EROFS: 'the file system is read-only. Make it writable, then run the command again.',
  ELOOP:
    'it is a symbolic link, which specloop does not follow here, or one that leads to itself. Replace it with a real file.',
  ENOENT: 'its folder is gone. Restore the folder, then run the command again.',
  ENOTDIR: 'a part of its path is not a folder. Move that file away, then run the command again.',
  EISDIR: 'it is a folder. Move the folder away, then run the command again.',
  ENOTEMPTY: 'it is a folder. Move the folder away, then run the command again.',
  ENAMETOOLONG: 'its name is too long. Use a shorter one.',
  EMFILE: 'too many files are open. Raise the limit ("ulimit -n"), then run the command again.',
  ENFILE: 'too many files are open on this machine. End what opens them, then run the command again.',
};

/** Turns what the system threw while we were `doing` something with a path into the fault that is told to people. */
export function storageFault(error: unknown, doing: 'read' | 'write' | 'remove' | 'lock', path: string): StorageFault {
  if (error instanceof StorageFault) return error;
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : String(error);
  const reason = REASONS[code] ?? `the system reported "${said}". Check the disk, then run the command again.`;
  return new StorageFault(KINDS[code] ?? 'io', path, `Cannot ${doing} ${path}: ${reason}`);
}
