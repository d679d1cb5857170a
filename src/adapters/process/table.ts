import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { programOutside } from '../program/program-outside.ts';

/** One process of this machine, as the system's table shows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it began, in the system's own notation: with the pid it names one process for good. */
  readonly began: string;
  /** Whether its environment holds the mark that was asked for. */
  readonly marked: boolean;
}

/**
 * All processes of this machine but zombies, each looked at for `mark` (`NAME=value`). What began before `since`, a time
 * as `beganAt` tells it, may be left out. Processes of other users that may not be looked into count as not marked.
 */
export function processTable(mark: string, since?: number): readonly ProcessEntry[] {
  return existsSync('/proc/self/environ') ? tableFromProc(mark, since) : tableFromPs(mark);
}

/** When a process began, in the system's ticks; `undefined` if it is gone, or the system has no `/proc`. */
export function beganAt(pid: number): number | undefined {
  const [, , , , began] = statOf(pid) ?? [];
  return began === undefined ? undefined : Number(began);
}

/**
 * How many processes and threads this machine has begun since it started; `undefined` where the system does not say. Where the number is one more than before a program was started, that program has started none.
 */
export function begunSoFar(): number | undefined {
  const begun = /^processes (\d+)$/m.exec(readWhole('/proc/stat')?.toString('latin1') ?? '')?.[1];
  return begun === undefined ? undefined : Number(begun);
}

/** The table from `/proc`. Reads synchronously: a few hundred tiny reads cost less than as many turns of the event loop. */
export function tableFromProc(mark: string, since = 0): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const entry = entryFromProc(pid, mark, since);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

const KERNEL_THREADS = 2;
const FIRST_FIELD_AFTER_NAME = 2;
/** The field of the start time, counted from the first after the name. */
const BEGAN = 19;

function entryFromProc(pid: number, mark: string, since: number): ProcessEntry | undefined {
  const stat = statOf(pid);
  if (stat === undefined) return undefined;
  const [state, parent, group, session, began] = stat;
  if (state === 'Z' || state === 'X' || Number(began) < since) return undefined;
  const numbers = { parent: Number(parent), group: Number(group), session: Number(session) };
  const hasEnvironment = numbers.parent !== KERNEL_THREADS;
  const marked = hasEnvironment && holdsMark(readWhole(`/proc/${pid}/environ`), mark);
  return { pid, ...numbers, began, marked };
}

/** State, parent, group, session and start time of a process; `undefined` if it is gone. */
function statOf(pid: number): readonly [string, string, string, string, string] | undefined {
  const stat = readWhole(`/proc/${pid}/stat`)?.toString('latin1');
  if (stat === undefined) return undefined;
  // The name, in parentheses, may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + FIRST_FIELD_AFTER_NAME).split(' ', BEGAN + 1);
  const [state = 'X', parent = '', group = '', session = ''] = fields;
  return [state, parent, group, session, fields[BEGAN] ?? ''];
}

function holdsMark(environment: Buffer | undefined, mark: string): boolean {
  if (environment === undefined) return false;
  return (
    environment.indexOf(`\0${mark}\0`) >= 0 || environment.subarray(0, mark.length + 1).equals(Buffer.from(`${mark}\0`))
  );
}

let scratch = Buffer.allocUnsafe(1 << 16);

/** The bytes of a file of `/proc`, good until the next call; `undefined` if it is gone or not ours to read. */
function readWhole(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    let length = 0;
    for (;;) {
      const read = readSync(file, scratch, length, scratch.length - length, null);
      length += read;
      // These files give all they have, so that a read that leaves room was the last.
      if (length < scratch.length) return scratch.subarray(0, length);
      scratch = Buffer.concat([scratch, Buffer.allocUnsafe(scratch.length)]);
    }
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

const PS_BYTES_MAX = 64 << 20;

/** The table from `ps`, for systems without `/proc`. Throws if there is no `ps`. */
export function tableFromPs(mark: string): readonly ProcessEntry[] {
  const columns = 'pid=,ppid=,pgid=,sess=,stat=,lstart=,command=';
  const ps = programOutside('ps', { path: process.env.PATH, workspace: process.cwd() });
  if (ps === undefined) throw new Error('There is no ps on the PATH outside of the working tree.');
  const text = execFileSync(ps, ['axeww', '-o', columns], {
    encoding: 'latin1',
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    maxBuffer: PS_BYTES_MAX,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text.split('\n').flatMap((line) => entryFromPs(line, mark) ?? []);
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/;

function entryFromPs(line: string, mark: string): ProcessEntry | undefined {
  const [, pid, parent, group, session, state, began = '', command = ''] = PS_LINE.exec(line) ?? [];
  if (pid === undefined || state?.startsWith('Z')) return undefined;
  const marked = command.split(' ').includes(mark);
  return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), began, marked };
}
