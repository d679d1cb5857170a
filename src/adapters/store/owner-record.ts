import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { Owner } from '../../ports/store.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf, disk, writeAll } from './disk.ts';
import { PRIVATE_FILE_MODE } from './private-folder.ts';
import { isDead, thisProcess } from './process-identity.ts';
import { readText } from './read-text.ts';
import { storageFault } from './storage-fault.ts';

const RECORD_BYTES_MAX = 10_000;

/** What the record next to a lock says: who holds it, and whether the kernel or the record itself is the lock. */
export interface OwnerRecord extends Owner {
  readonly lockedBy: 'kernel' | 'record';
}

/** This process as the owner of a lock that it is about to take. */
export function ownOwner(clock: Clock): Owner {
  return { ...thisProcess(), since: clock.now() };
}

export function recordPath(dir: string): string {
  return join(dir, 'owner.json');
}

/** The record in this folder: `none` if there is no file, `unreadable` if it is not whole, as while it is being written. */
export function readRecord(dir: string): OwnerRecord | 'none' | 'unreadable' {
  const text = readText(recordPath(dir), RECORD_BYTES_MAX);
  if (text === undefined) return 'none';
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** Whether the record in this folder is this one. */
export function isRecordOf(dir: string, record: OwnerRecord): boolean {
  try {
    return readText(recordPath(dir), RECORD_BYTES_MAX) === textOf(record);
  } catch {
    return false; // What cannot be read is not a record that this process wrote.
  }
}

/** Replaces the record; the caller holds the kernel's lock. Throws `StorageFault`. */
export function writeRecord(dir: string, record: OwnerRecord): void {
  writeAtomically(recordPath(dir), textOf(record), { mode: PRIVATE_FILE_MODE });
}

/**
 * Makes the record if there is none, and returns its open file; `undefined` if another process was first. One call of
 * the system decides between two processes. Throws `StorageFault`.
 */
export function claimRecord(path: string, record: OwnerRecord): number | undefined {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL, PRIVATE_FILE_MODE);
    try {
      writeAll(fd, Buffer.from(textOf(record)), disk);
      fsyncSync(fd);
      return fd;
    } catch (error) {
      closeSync(fd);
      disk.unlink(path);
      throw error;
    }
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined;
    throw storageFault(error, 'lock', path);
  }
}

/**
 * Removes the record of a dead holder, or names the file that is in the way. Only one process may remove at a time, and
 * only while the record is still as it was `seen`: else a slow one would remove the record of a fast one, and both would
 * hold the lock.
 */
export function removeDeadRecord(dir: string, seen: OwnerRecord | 'unreadable', owner: Owner): string | undefined {
  const path = recordPath(dir);
  if (seen === 'unreadable' || !isDead(seen)) return path;
  const turn = join(dir, 'takeover.json');
  const fd = claimRecord(turn, { ...owner, lockedBy: 'record' });
  if (fd === undefined) return turn;
  try {
    if (JSON.stringify(readRecord(dir)) !== JSON.stringify(seen)) return path;
    disk.unlink(path);
    return undefined;
  } finally {
    closeSync(fd);
    disk.unlink(turn);
  }
}

function textOf(record: OwnerRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}

function isRecord(value: unknown): value is OwnerRecord {
  const found = value as { readonly [key in keyof OwnerRecord]?: unknown } | null;
  if (typeof found !== 'object' || found === null) return false;
  const isText = (field: unknown) => typeof field === 'string';
  const isTextOrMissing = (field: unknown) => field === undefined || isText(field);
  return (
    Number.isSafeInteger(found.pid) &&
    Number(found.pid) > 0 &&
    [found.host, found.since].every(isText) &&
    [found.startTime, found.boot].every(isTextOrMissing) &&
    (found.lockedBy === 'kernel' || found.lockedBy === 'record')
  );
}
