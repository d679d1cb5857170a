import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { UserError } from '../../core/user-error.ts';
import { NotText, TooLarge } from '../../ports/store.ts';
import { codeOf, NO_FOLLOW, NO_WAIT } from './disk.ts';
import { plainFile } from './plain-file.ts';
import { storageFault } from './storage-fault.ts';

/**
 * The text of a plain file, its byte order mark included; `undefined` if there is none. Links are not followed (R-SEC-1).
 * Throws `NotText`, `TooLarge` or `StorageFault`.
 */
export function readText(path: string, bytesMax: number): string | undefined {
  const bytes = readBytes(path, bytesMax);
  if (bytes === undefined) return undefined;
  if (!isUtf8(bytes)) throw new NotText(path, firstBrokenLine(bytes));
  return bytes.toString('utf8');
}

function readBytes(path: string, bytesMax: number): Buffer | undefined {
  try {
    // Opening must not wait, should the path be a pipe.
    const fd = plainFile(openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT), 'read', path);
    try {
      const { size } = fstatSync(fd);
      if (size > bytesMax) throw new TooLarge(path, { bytes: size, bytesMax });
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (codeOf(error) === 'ENOENT') return undefined;
    throw storageFault(error, 'read', path);
  }
}

/** A newline byte is never part of a longer character, so lines can be judged one by one. */
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline;
    if (!isUtf8(bytes.subarray(start, end))) break;
    start = end + 1;
  }
  return line;
}
