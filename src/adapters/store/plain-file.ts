import { closeSync, fstatSync } from 'node:fs';
import { StorageFault } from '../../ports/store.ts';

/**
 * The same open file, if it is a plain one. Anything else in its place, as a named pipe or a folder, is closed and told:
 * reading it could wait for ever. Throws `StorageFault`.
 */
export function plainFile(fd: number, doing: 'read' | 'write' | 'lock', path: string): number {
  const found = fstatSync(fd);
  if (found.isFile()) return fd;
  closeSync(fd);
  const what = found.isDirectory() ? 'it is a folder' : 'it is not a regular file';
  throw new StorageFault(
    'not-writable',
    path,
    `Cannot ${doing} ${path}: ${what}. Move it away, then run the command again.`,
  );
}
