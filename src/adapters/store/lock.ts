import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldLock, Holding, LockResult, Owner } from '../../ports/store.ts';
import { codeOf, disk, NO_FOLLOW } from './disk.ts';
import { type KernelLocks, kernelLocks } from './kernel-lock.ts';
import {
  claimRecord,
  type OwnerRecord,
  readRecord,
  recordPath,
  removeDeadRecord,
  writeRecord,
} from './owner-record.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE } from './private-folder.ts';
import { isDead } from './process-identity.ts';
import { storageFault } from './storage-fault.ts';

/**
 * How long a lock is tried for that nobody living has signed: its holder may be about to sign or to look only.
 * After that it is refused; it is never stolen because of its age (R-FILE-6).
 */
const TRIES = 15;
const PAUSE_MS = 10;

/**
 * Takes the lock of a folder for this process, or tells who has it (R-FILE-6). The kernel holds it, on the file `lock`,
 * so a dead holder's lock is free at once; `owner.json` beside it says who it is. Where there are no kernel locks the
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
 * Whether somebody holds the lock of a folder, and who. Nothing is written. The kernel is asked by a shared lock, held for
 * a moment: several may ask at once, and whoever wants the lock meanwhile tries again.
 */
export async function readHolder(dir: string, kernel: KernelLocks = kernelLocks): Promise<Holding> {
  const record = readRecord(dir);
  const owner = typeof record === 'string' || isDead(record) ? undefined : record;
  const says = askKernel(dir, kernel);
  const isRecordTheLock = owner?.lockedBy === 'record' || (says === 'nothing' && record === 'unreadable');
  if (says !== 'held' && !isRecordTheLock) return { held: false };
  return owner === undefined ? { held: true } : { held: true, owner: ownerOf(owner) };
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
  const isTheRecordTheLock = typeof record !== 'string' && record.lockedBy === 'record' && !isDead(record);
  if (!isLocked || isTheRecordTheLock || !isSameFile(fd, path)) {
    closeSync(fd);
    return refusedBy(record);
  }
  return signed({ dir, owner, fd, path });
}

/** Signs a lock that the kernel has given. A lock that cannot be signed is given back. */
function signed({
  dir,
  owner,
  fd,
  path,
}: {
  readonly dir: string;
  readonly owner: Owner;
  readonly fd: number;
  readonly path: string;
}): LockResult {
  try {
    writeRecord(dir, { ...owner, lockedBy: 'kernel' });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  return { ok: true, lock: heldLock({ fd, path, record: recordPath(dir) }) };
}

/** The record as the lock: one process makes it, all others find it there. */
function tryRecord(dir: string, owner: Owner): LockResult {
  const path = recordPath(dir);
  const record = readRecord(dir);
  const obstacle = record === 'none' ? undefined : removeDeadRecord(dir, record, owner);
  if (obstacle !== undefined) return { ...refusedBy(record), removable: obstacle };
  const fd = claimRecord(path, { ...owner, lockedBy: 'record' });
  if (fd === undefined) return { ...refusedBy(readRecord(dir)), removable: path };
  return { ok: true, lock: heldLock({ fd, path, record: path }) };
}

function heldLock({
  fd,
  path,
  record,
}: {
  readonly fd: number;
  readonly path: string;
  readonly record: string;
}): HeldLock {
  let isReleased = false;
  const stillOurs = () => !isReleased && isSameFile(fd, path);
  return {
    stillOurs,
    release() {
      if (isReleased) return;
      if (stillOurs()) removeRecord(record); // First, so that a record that is there belongs to a lock that is held.
      isReleased = true;
      closeSync(fd);
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
    return openSync(path, constants.O_RDWR | constants.O_CREAT | NO_FOLLOW, PRIVATE_FILE_MODE);
  } catch (error) {
    throw storageFault(error, 'lock', path);
  }
}

/** What the kernel says of the lock; `nothing` where it has no locks. */
function askKernel(dir: string, kernel: KernelLocks): 'held' | 'free' | 'nothing' {
  const path = join(dir, 'lock');
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | NO_FOLLOW);
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

/** A lock file that was removed or replaced locks nobody out any more. */
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
