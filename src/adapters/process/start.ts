import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { Ended, Launch, Printed, ProcessEnd } from '../../ports/process.ts';
import { programOutside } from '../program/program-outside.ts';
import { type Channels, openChannels } from './channels.ts';
import type { PipeStock } from './pipes.ts';
import type { RedactedStream } from './redaction.ts';
import { shortage } from './shortage.ts';
import { begunSoFar } from './table.ts';

/** How a program is contained. */
export interface Confinement {
  /** `NAME=value`, which only this program and what it starts have in their environment. */
  readonly mark: string;
  /** Variables that the program gets on top of its own; `mark` is among them. */
  readonly marks: Readonly<Record<string, string>>;
  /** What is put before its `argv`, if anything. */
  readonly wrapper: readonly string[];
  /** Ends the program, as the launch's own signal does. */
  readonly closing: AbortSignal;
  readonly pipes: PipeStock;
  /** Takes secrets out of what the program prints before it is kept (R-SEC-2). */
  readonly redact?: (() => RedactedStream) | undefined;
}

/** A program that runs. */
export interface Started {
  readonly how: 'started';
  readonly pid: number;
  readonly exited: Promise<ProcessEnd>;
  readonly channels: Channels;
  /** The program's stdin, if it stays open. */
  readonly stdin: Writable | null;
  /** What `begunSoFar` told before it was started. */
  readonly begunBefore: number | undefined;
}

type Unstarted = Extract<ProcessEnd, { readonly how: 'not-started' }>;

const NOTHING: Printed = { text: '', truncated: false, bytes: 0 };

/** A program that could not be started, as the end of its launch. */
export function unstarted(ending: Unstarted): Ended {
  return { ...ending, stdout: NOTHING, stderr: NOTHING, durationMs: 0, leftovers: 0 };
}

/** Starts a program in a session of its own. */
export async function start(launch: Launch, confinement: Confinement): Promise<Started | Unstarted> {
  const { argv, cwd, env } = launch;
  const obstacle = await findObstacle(launch, confinement);
  if (obstacle !== undefined) return obstacle;
  const wrapper = withProgramsOutside(confinement.wrapper, { path: env.PATH, workspace: launch.tree ?? cwd });
  if (typeof wrapper === 'string') return notFound(wrapper);
  const channels = await openChannels(confinement.pipes, launch).catch((error: Error) => error);
  if (channels instanceof Error) return unable('no-resources', shortage(channels));
  try {
    const [file = argv[0], ...args] = [...wrapper, ...argv];
    const options = { cwd, env: { ...env, ...confinement.marks }, detached: true, stdio: [...channels.stdio] };
    const begunBefore = begunSoFar();
    return { how: 'started', channels, begunBefore, ...(await spawned(() => spawn(file, args, options))) };
  } catch (error) {
    return refused(argv[0], error as NodeJS.ErrnoException);
  } finally {
    channels.closeStdio();
  }
}

/** Programs that what an agent or a plan names is started with. */
const OF_OURS: ReadonlySet<string> = new Set(['setpriv', 'unshare', 'bwrap', 'sh']);

/** The wrapper with its programs by their absolute paths (R-VER-14); the name of one that is not there. */
function withProgramsOutside(
  wrapper: readonly string[],
  where: { readonly path: string | undefined; readonly workspace: string },
): readonly string[] | string {
  const found = wrapper.map((word) => (OF_OURS.has(word) ? programOutside(word, where) : word));
  const missing = found.indexOf(undefined);
  return missing >= 0 ? (wrapper[missing] ?? '') : found.flatMap((word) => word ?? []);
}

/** Resolves once the program runs; rejects with the system's error if it cannot. */
function spawned(begin: () => ChildProcess): Promise<Pick<Started, 'pid' | 'exited' | 'stdin'>> {
  return new Promise((resolve, reject) => {
    const child = begin();
    const exited = new Promise<ProcessEnd>((done) => {
      child.on('exit', (code, signal) => {
        done(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'killed', by: 'signal', signal });
      });
    });
    child.on('error', reject);
    child.on('spawn', () => resolve({ pid: child.pid ?? 0, exited, stdin: child.stdin }));
  });
}

/** What keeps a program from being started that the system would report in a misleading way, or not at all. */
async function findObstacle(launch: Launch, { closing, wrapper }: Confinement): Promise<Unstarted | undefined> {
  const { argv, cwd, env, signal } = launch;
  if (signal?.aborted || closing.aborted) return cancelled(argv[0]);
  if (!isFolder(cwd)) return failed(argv[0], `there is no folder ${cwd}`);
  // Of a program that is not there, no more would be seen than an exit code of the wrapper.
  if (wrapper.length > 0 && !(await isProgram(argv[0], { cwd, path: env.PATH ?? '' }))) return notFound(argv[0]);
  return undefined;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // Not there, or not for us to see: either way no program can work in it.
  }
}

async function isProgram(name: string, { cwd, path }: { readonly cwd: string; readonly path: string }) {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, name));
  const found = await Promise.allSettled(places.map((place) => access(place, constants.X_OK)));
  return found.some(({ status }) => status === 'fulfilled');
}

function refused(name: string, error: NodeJS.ErrnoException): Unstarted {
  switch (error.code) {
    case 'ENOENT':
      return notFound(name);
    case 'EACCES':
    case 'EPERM':
      return unable('not-permitted', `${name} may not be executed. Check its permissions.`);
    case 'EMFILE':
    case 'ENFILE':
    case 'EAGAIN':
    case 'ENOMEM':
      return unable('no-resources', shortage(error));
    case 'E2BIG':
      return unable(
        'argument-too-long',
        `${name} has longer arguments or environment variables than the system allows.`,
      );
    default:
      return failed(name, error.message);
  }
}

function notFound(name: string): Unstarted {
  return unable('not-found', `${name} was not found. Install it, or give its full path.`);
}

function cancelled(name: string): Unstarted {
  return unable('cancelled', `${name} was not started because the run is stopping.`);
}

function failed(name: string, why: string): Unstarted {
  return unable('failed', `${name} could not be started: ${why}.`);
}

function unable(reason: Unstarted['reason'], message: string): Unstarted {
  return { how: 'not-started', reason, message };
}
