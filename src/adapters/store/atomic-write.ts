import { randomUUID } from 'node:crypto';
import { constants, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TEMPORARY_SUFFIX } from '../../core/spec-files.ts';
import { StorageFault } from '../../ports/store.ts';
import { codeOf, type Disk, disk, syncFolder, writeAll } from './disk.ts';
import { isRunning, thisProcess } from './process-identity.ts';
import { storageFault } from './storage-fault.ts';

const NEW_FILE_MODE = 0o644;

export interface WriteOptions {
  readonly mode?: number;
  /** What the new content survives: with `crash` the disk is not synced, and a power cut may lose it. Default `power-cut`. */
  readonly survives?: 'crash' | 'power-cut';
  readonly disk?: Disk;
}

/**
 * Replaces a file in one step: whatever happens, a reader finds the whole old or the whole new content (R-FILE-5).
 * The size is checked before the rename, since a write to a full disk may come out short without an error.
 * An existing file keeps its mode unless one is given. A symbolic link or a folder in its place is refused.
 * Throws `StorageFault`; then the old content is still there, unless it was only the folder that could not be synced.
 */
export function writeAtomically(file: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const on = options.disk ?? disk;
  const isSynced = options.survives !== 'crash';
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  try {
    const mode = options.mode ?? modeOf(file);
    const temporary = join(dirname(file), temporaryName(basename(file)));
    try {
      writeTemporary(temporary, { bytes, mode, on, isSynced });
      on.rename(temporary, file);
    } catch (error) {
      removeQuietly(temporary, on);
      throw error;
    }
    if (isSynced) syncFolder(dirname(file), on);
  } catch (error) {
    throw storageFault(error, 'write', file);
  }
}

/**
 * Removes the temporary files that a killed process left in a folder, and tells their names. Those of a process that
 * still runs are left alone. The caller holds the lock of what is in the folder.
 */
export function sweepTemporaries(dir: string): readonly string[] {
  try {
    const stale = readdirSync(dir).filter(isLeftBehind);
    for (const name of stale) removeQuietly(join(dir, name), disk);
    return stale;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw storageFault(error, 'read', dir);
  }
}

/** The same for a folder and all that are in it, as far as they can be read; links are not followed. */
export function sweepAllTemporaries(dir: string): readonly string[] {
  const deeper = foldersIn(dir).flatMap((name) => sweepAllTemporaries(join(dir, name)));
  return [...sweepTemporaries(dir), ...deeper];
}

function foldersIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw storageFault(error, 'read', dir);
  }
}

/** Mode of the file that is to be replaced; `undefined` if there is none. */
function modeOf(file: string): number | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) throw Object.assign(new Error(), { code: 'ELOOP' });
  if (found?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  if (found && !found.isFile())
    throw new StorageFault('not-writable', file, `Cannot write ${file}: it is not a regular file. Move it away.`);
  return found && found.mode & 0o7777;
}

interface Temporary {
  readonly bytes: Uint8Array;
  readonly mode: number | undefined;
  readonly on: Disk;
  readonly isSynced: boolean;
}

function writeTemporary(temporary: string, { bytes, mode, on, isSynced }: Temporary): void {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const fd = on.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode ?? NEW_FILE_MODE);
  try {
    writeAll(fd, bytes, on);
    if (mode !== undefined) on.changeMode(fd, mode); // The umask does not hold for a mode that is kept or ordered.
    const size = on.size(fd);
    if (size !== bytes.byteLength)
      throw Object.assign(new Error(`only ${size} of ${bytes.byteLength} bytes were written`), { code: 'ENOSPC' });
    if (isSynced) on.sync(fd, 'all');
  } finally {
    on.close(fd);
  }
}

function removeQuietly(path: string, on: Disk): void {
  try {
    on.unlink(path);
  } catch {
    // It was never made, or the disk is beyond help; the next start sweeps it.
  }
}

/** `.tasks.md.<pid>.<start time>.<random>.specloop-tmp`: whose it is can be read from the name. */
function temporaryName(target: string): string {
  const { pid, startTime = '' } = identity;
  const twelveDigits = randomUUID().slice(-12);
  return `.${target}.${pid}.${startTime}.${twelveDigits}${TEMPORARY_SUFFIX}`;
}

const identity = thisProcess();
const WRITER = /\.(\d{1,10})\.(\d*)\.[0-9a-f]{12}$/;

function isLeftBehind(name: string): boolean {
  const isOurs = name.endsWith(TEMPORARY_SUFFIX);
  const parts = isOurs ? WRITER.exec(name.slice(0, -TEMPORARY_SUFFIX.length)) : null;
  return parts !== null && !isRunning(Number(parts[1]), parts[2] || undefined);
}
