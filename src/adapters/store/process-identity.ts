import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from '../../ports/store.ts';
import { codeOf } from './disk.ts';

/** What names this process for as long as the machine runs, and beyond. */
export function thisProcess(): Omit<Owner, 'since'> {
  const startTime = statOf(process.pid)?.startTime;
  const boot = bootOf();
  return {
    pid: process.pid,
    host: hostname(),
    ...(startTime === undefined ? {} : { startTime }),
    ...(boot === undefined ? {} : { boot }),
  };
}

/**
 * Whether a process of this machine still runs. `startTime` tells it from a later one with the same pid; where it is
 * not known, any process with the pid counts as it.
 */
export function isRunning(pid: number, startTime?: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const stat = statOf(pid);
  if (stat === undefined) return true;
  const isZombie = /^[ZX]$/.test(stat.state); // It holds nothing any more, though no one has fetched its exit code.
  return !isZombie && (startTime === undefined || stat.startTime === startTime);
}

/**
 * Whether an owner is dead beyond doubt: it ran on this host before it was started again, or in this boot and its process
 * is gone. Everyone else may be alive where we cannot look (R-FILE-6).
 */
export function isDead(owner: Owner): boolean {
  const here = thisProcess();
  if (owner.host !== here.host || owner.boot === undefined || here.boot === undefined) return false;
  if (bootIdIn(owner.boot) !== bootIdIn(here.boot)) return true;
  return owner.boot === here.boot && !isRunning(owner.pid, owner.startTime);
}

/** Whether an owner is alive beyond doubt: this very process or another one of this boot, told apart by its start. */
export function isAlive(owner: Owner): boolean {
  const here = thisProcess();
  if (owner.host !== here.host || owner.boot === undefined || owner.startTime === undefined) return false;
  return owner.boot === here.boot && isRunning(owner.pid, owner.startTime);
}

/** Fields 3 and 22 of `/proc/<pid>/stat`, counted after the program's name, which may hold blanks and brackets. */
function statOf(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '' };
  } catch {
    return undefined; // No such process, or a system without /proc.
  }
}

/** The part of `boot` that is another one after each start of the machine. */
function bootIdIn(boot: string): string | undefined {
  return boot.split('/')[0];
}

/** A pid means something only within one boot and one pid name space: containers of a host have several. */
function bootOf(): string | undefined {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined; // A system without /proc.
  }
}
