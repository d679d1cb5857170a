import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beganAt } from './table.ts';

const PREFIX = 'specloop';

/**
 * Makes a folder for temporary files, which the caller removes. Its name says whose it is, so that one left by a
 * killed process can be removed: the host, the boot with its pid name space, the process and when that began.
 */
export function temporaryFolder(): string {
  return mkdtempSync(
    join(tmpdir(), [PREFIX, HERE.host, HERE.boot, process.pid, beganAt(process.pid) ?? '', ''].join('-')),
  );
}

/** Removes the temporary folders that killed processes of this user left, and tells how many. Never throws. */
export function sweepTemporaryFolders(): number {
  const left = namesIn(tmpdir())
    .filter(isLeftBehind)
    .map((name) => join(tmpdir(), name));
  return left.filter(isOurs).filter(removed).length;
}

/** Letters and digits that stand for this host, and for this boot with its pid name space. */
const HERE = { host: digest(hostname()), boot: digest(bootOf()) };

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function bootOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return ''; // A system without /proc.
  }
}

/** Whether a process of this boot made it that is gone; of another boot or name space nothing is known. */
function isLeftBehind(name: string): boolean {
  const [, host, boot, pid, began] = /^specloop-([0-9a-f]{8})-([0-9a-f]{8})-(\d{1,10})-(\d+)-\w{6}$/.exec(name) ?? [];
  if (host !== HERE.host || boot !== HERE.boot) return false;
  return beganAt(Number(pid)) !== Number(began);
}

function isOurs(path: string): boolean {
  try {
    const found = statSync(path);
    return found.isDirectory() && found.uid === process.getuid?.();
  } catch {
    return false; // Gone in the meantime.
  }
}

function removed(path: string): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
    return true;
  } catch {
    return false; // The system clears its temporary files sooner or later.
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // That no temporary files can be made is told where they are needed.
  }
}
