import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageFault } from '../../ports/store.ts';
import { shortage } from './shortage.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What a program needs at least, in bytes. */
const ROOM_BYTES = 4096;

/**
 * Makes a temporary file as each program needs one, and removes it. Throws `StorageFault` where that fails: then no
 * program can be started, and it is no fault of an agent (R-ADV-6).
 */
export function requireTemporaryFiles(): void {
  try {
    const dir = temporaryFolder();
    try {
      writeFileSync(join(dir, 'trial'), Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    const isFull = fault.code === 'ENOSPC' || fault.code === 'EDQUOT';
    throw new StorageFault(isFull ? 'disk-full' : 'not-writable', tmpdir(), shortage(fault));
  }
}
