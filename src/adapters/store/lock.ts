import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldLock, Holding, LockResult, Owner } from '../../ports/store.ts';
import { codeOf, disk, NO_FOLLOW, NO_WAIT } from './disk.ts';
import { type KernelLocks, kernelLocks } from './kernel-lock.ts';
import {
  claimRecord,
  isRecordOf,
  type OwnerRecord,
  readRecord,
  recordPath,
  removeDeadRecord,
  writeRecord,
} from './owner-record.ts';
import { plainFile } from './plain-file.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from './private-folder.ts';
import { isAlive, isDead } from './process-identity.ts';
import { storageFault } from './storage-fault.ts';

/**
 * How long a lock is tried for that no one living has signed: its holder may be about to sign or to look only.
 * After that it is refused; it is never stolen because of its age (R-FILE-6).
 */
const TRIES = 15;
const PAUSE_MS = 10;

/**
 * Takes the lock of a folder for this process, or tells who has it (R-FILE-6). The kernel holds it, on the file `lock`,
 * so a dead holder's lock is free at once; `owner.json` next to it says who it is. Where there are no kernel locks the
 * record itself is the lock, and is taken over only from a process that is dead beyond doubt.
 * Throws `StorageFault` if the folder cannot be written.
 */
export async function acquireLock(dir: string, owner: Owner, kernel: KernelLocks = kernelLocks): Promise<LockResult> {
  makePrivateFolder(dir);
  for (let tried = 1; ; tried++) {
    const attempt = tryOnce(dir, owner, kernel);
    if (attempt.ok) return attempt;
    const isSigned = attempt.holder !== undefined && !isDead(attempt.holder);
    if (isSigned || tried === TRIES) return isSigned ? attempt : withoutHolder(attempt);
    await sleep(PAUSE_MS);
  }
}

/**
 * Whether a process holds the lock of a folder, and who. Nothing is written. The kernel is asked by a shared lock, held for
 * a moment: several may ask at once, and a process that wants the lock in the meantime tries again.
 */
export async function readHolder(dir: string, kernel: KernelLocks = kernelLocks): Promise<Holding> {
  const record = readRecord(dir);
  const owner = typeof record === 'string' || isDead(record) ? undefined : record;
  const says = askKernel(dir, kernel);
  const isRecordTheLock = owner?.lockedBy === 'record' || (says === 'nothing' && record === 'unreadable');
  const lostItsFile = owner !== undefined && isAlive(owner);
  if (says !== 'held' && !isRecordTheLock && !lostItsFile) return { held: false };
  return {
    held: true,
    ...(owner === undefined ? {} : { owner: ownerOf(owner) }),
    ...(isRecordTheLock ? { removable: recordPath(dir) } : {}),
  };
}

function tryOnce(dir: string, owner: Owner, kernel: KernelLocks): LockResult {
  const path = join(dir, 'lock');
  const fd = openLockFile(path);
  let isLocked: boolean;
  try {
    isLocked = kernel.tryLock(fd, 'exclusive');
  } catch {
    closeSync(fd);
    return tryRecord(dir, owner); // No kernel locks here.
  }
  const record = readRecord(dir);
  if (!isLocked || isHeldByRecord(record) || !isSameFile(fd, path)) {
    closeSync(fd);
    return refusedBy(record);
  }
  return signed({ dir, owner, fd, kernel });
}

/**
 * Whether the one who signed holds the lock though the kernel gives it away: the record is the lock, or the lock file of
 * another process that is alive was removed.
 */
function isHeldByRecord(record: OwnerRecord | 'none' | 'unreadable'): boolean {
  if (typeof record === 'string') return false;
  return record.lockedBy === 'record' ? !isDead(record) : record.pid !== process.pid && isAlive(record);
}

interface Given {
  readonly dir: string;
  readonly owner: Owner;
  readonly fd: number;
  readonly kernel: KernelLocks;
}

/** Signs a lock that the kernel has given. A lock that cannot be signed is given back. */
function signed({ dir, owner, fd, kernel }: Given): LockResult {
  const record: OwnerRecord = { ...owner, lockedBy: 'kernel' };
  try {
    writeRecord(dir, record);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  const again = () => (isRecordOf(dir, record) ? lockAgain(dir, kernel) : undefined);
  return { ok: true, lock: heldLock({ dir, fd, path: join(dir, 'lock'), record, again }) };
}

/**
 * Makes a lock file that was removed or replaced again and locks it; `undefined` if another process has it. One that only
 * looks at it is waited for.
 */
function lockAgain(dir: string, kernel: KernelLocks): number | undefined {
  const path = join(dir, 'lock');
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      const fd = openLockFile(path);
      if (kernel.tryLock(fd, 'exclusive') && isSameFile(fd, path)) return fd;
      closeSync(fd);
    } catch {
      return undefined; // Its folder is gone as well, or something else is in its place.
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return undefined;
}

/** The record as the lock: one process makes it, all others find it there. */
function tryRecord(dir: string, owner: Owner): LockResult {
  const path = recordPath(dir);
  const found = readRecord(dir);
  const obstacle = found === 'none' ? undefined : removeDeadRecord(dir, found, owner);
  if (obstacle !== undefined) return { ...refusedBy(found), removable: obstacle };
  const record: OwnerRecord = { ...owner, lockedBy: 'record' };
  const fd = claimRecord(path, record);
  if (fd === undefined) return { ...refusedBy(readRecord(dir)), removable: path };
  return { ok: true, lock: heldLock({ dir, fd, path, record, again: () => undefined }) };
}

interface HeldFile {
  readonly dir: string;
  readonly fd: number;
  readonly path: string;
  readonly record: OwnerRecord;
  /** Takes a lock again whose file is not there any more; `undefined` if it is lost. */
  readonly again: () => number | undefined;
}

function heldLock({ dir, fd: first, path, record, again }: HeldFile): HeldLock {
  let fd: number | undefined = first;
  const stillOurs = (): boolean => {
    if (fd === undefined) return false;
    if (isSameFile(fd, path)) return true;
    const taken = again();
    if (taken === undefined) return false;
    closeSync(fd);
    fd = taken;
    return true;
  };
  return {
    stillOurs,
    release() {
      if (fd === undefined) return;
      if (isRecordOf(dir, record)) removeRecord(recordPath(dir)); // First, so that a record that is there belongs to a lock that is held.
      closeSync(fd);
      fd = undefined;
    },
  };
}

function removeRecord(path: string): void {
  try {
    disk.unlink(path);
  } catch {
    // A record without a lock is no harm: the next holder replaces it.
  }
}

function openLockFile(path: string): number {
  try {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW | NO_WAIT, PRIVATE_FILE_MODE);
    return plainFile(fd, 'lock', path);
  } catch (error) {
    throw storageFault(error, 'lock', path);
  }
}

/** What the kernel says of the lock; `nothing` where it has no locks. */
function askKernel(dir: string, kernel: KernelLocks): 'held' | 'free' | 'nothing' {
  const path = join(dir, 'lock');
  let fd: number;
  try {
    fd = plainFile(openSync(path, constants.O_RDONLY | NO_FOLLOW | NO_WAIT), 'read', path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'free';
    throw storageFault(error, 'read', path);
  }
  try {
    return kernel.tryLock(fd, 'shared') ? 'free' : 'held';
  } catch {
    return 'nothing';
  } finally {
    closeSync(fd);
  }
}

/** A lock file that was removed or replaced locks no one out any more. */
function isSameFile(fd: number, path: string): boolean {
  const ours = fstatSync(fd);
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
}

function refusedBy(record: OwnerRecord | 'none' | 'unreadable'): LockResult & { readonly ok: false } {
  return typeof record === 'string' ? { ok: false } : { ok: false, holder: ownerOf(record) };
}

/** The record is of an earlier holder: who holds the lock is not known. */
function withoutHolder({ holder: _earlier, ...refused }: LockResult & { readonly ok: false }): LockResult {
  return refused;
}

function ownerOf({ lockedBy: _, ...owner }: OwnerRecord): Owner {
  return owner;
}
