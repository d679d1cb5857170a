import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { Ended, Ending, Launch, Printed, StopStep } from '../../ports/process.ts';
import { type Channels, openChannels } from './channels.ts';
import { Family } from './family.ts';
import { takeIn } from './output.ts';
import { Lookout, type Stop } from './stop.ts';

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
}

type Unstarted = Extract<Ending, { readonly how: 'not-started' }>;

interface Started {
  readonly how: 'started';
  readonly pid: number;
  readonly exited: Promise<Ending>;
  readonly channels: Channels;
}

/** What a program left behind is nobody's work any more, but may have lock files to put away. */
const LEFTOVER_STEPS: readonly StopStep[] = [{ signal: 'SIGTERM', graceMs: 1_000 }];
const GRACE_AFTER_EXIT_MS = 2_000;
const NOTHING: Printed = { text: '', truncated: false, bytes: 0 };

/** Runs a program to its end, and ends what it started (R-DEL-6). */
export async function runProgram(launch: Launch, confinement: Confinement): Promise<Ended> {
  const started = await start(launch, confinement);
  return started.how === 'started' ? accompany(started, launch, confinement) : unstarted(started);
}

/** A program that could not be started, as the end of its launch. */
export function unstarted(ending: Unstarted): Ended {
  return { ...ending, stdout: NOTHING, stderr: NOTHING, durationMs: 0, leftovers: 0 };
}

async function accompany({ pid, exited, channels }: Started, launch: Launch, confinement: Confinement): Promise<Ended> {
  const began = performance.now();
  const family = new Family({ mark: confinement.mark, leader: pid, leaderWraps: confinement.wrapper.length > 0 });
  const lookout = new Lookout(launch, confinement.closing);
  const taken = takeIn(channels, launch, lookout.heard);
  const fault = taken.then(() => exited).catch((): Stop => ({ by: 'cancel', steps: [] }));
  const first = await Promise.race([exited, lookout.stop, fault]);
  lookout.dispose();
  const stopped = 'steps' in first;
  const ended = await family.end(stopped ? first.steps : LEFTOVER_STEPS);
  // What is left now could not be ended, and may hold the pipes for good.
  const patience = setTimeout(() => {
    channels.stdout.destroy();
    channels.stderr.destroy();
  }, launch.limits.graceAfterExitMs ?? GRACE_AFTER_EXIT_MS);
  const kept = await taken.finally(() => clearTimeout(patience));
  const ending: Ending = stopped ? { how: 'killed', by: first.by } : first;
  const leftovers = ended.filter((member) => member !== pid).length;
  return { ...ending, ...kept, durationMs: Math.round(performance.now() - began), leftovers };
}

async function start(launch: Launch, confinement: Confinement): Promise<Started | Unstarted> {
  const [name] = launch.argv;
  const { marks, wrapper } = confinement;
  const obstacle = await findObstacle(launch, confinement);
  if (obstacle !== undefined) return obstacle;
  let channels: Channels | undefined;
  try {
    channels = await openChannels(launch.stdin);
    const [file = name, ...args] = [...wrapper, ...launch.argv];
    const options = { cwd: launch.cwd, env: { ...launch.env, ...marks }, detached: true, stdio: [...channels.theirs] };
    return { how: 'started', channels, ...(await spawned(() => spawn(file, args, options))) };
  } catch (error) {
    return notStarted(name, error as NodeJS.ErrnoException);
  } finally {
    channels?.closeTheirs();
  }
}

/** Resolves once the program runs; rejects with the system's error if it cannot. */
function spawned(begin: () => ChildProcess): Promise<Pick<Started, 'pid' | 'exited'>> {
  return new Promise((resolve, reject) => {
    const child = begin();
    const exited = new Promise<Ending>((done) => {
      child.on('exit', (code, signal) => {
        done(signal === null ? { how: 'exited', code: code ?? 0 } : { how: 'killed', by: 'signal', signal });
      });
    });
    child.on('error', reject);
    child.on('spawn', () => resolve({ pid: child.pid ?? 0, exited }));
  });
}

/** What keeps a program from being started that the system would report in a misleading way, or not at all. */
async function findObstacle(launch: Launch, { closing, wrapper }: Confinement): Promise<Unstarted | undefined> {
  const { argv, cwd, env, signal } = launch;
  if (signal?.aborted || closing.aborted)
    return {
      how: 'not-started',
      reason: 'cancelled',
      message: `${argv[0]} was not started: the run is being stopped.`,
    };
  const isFolder = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    return {
      how: 'not-started',
      reason: 'failed',
      message: `${argv[0]} was not started: the folder ${cwd} does not exist.`,
    };
  // A wrapper's own exit code would be all that is seen of a program that is not there.
  if (wrapper.length > 0 && !(await isProgram(argv[0], { cwd, path: env.PATH ?? '' })))
    return notStarted(argv[0], { code: 'ENOENT' });
  return undefined;
}

async function isProgram(
  name: string,
  { cwd, path }: { readonly cwd: string; readonly path: string },
): Promise<boolean> {
  const places = name.includes('/')
    ? [resolve(cwd, name)]
    : path.split(delimiter).map((dir) => join(resolve(cwd, dir), name));
  for (const place of places)
    if (
      await access(place, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return true;
  return false;
}

function notStarted(
  name: string,
  error: Pick<NodeJS.ErrnoException, 'code'> & { readonly message?: string },
): Unstarted {
  switch (error.code) {
    case 'ENOENT':
      return {
        how: 'not-started',
        reason: 'not-found',
        message: `${name} was not found. Install it, or give its full path.`,
      };
    case 'EACCES':
    case 'EPERM':
      return {
        how: 'not-started',
        reason: 'not-permitted',
        message: `${name} may not be executed. Check its permissions.`,
      };
    case 'E2BIG':
      return {
        how: 'not-started',
        reason: 'argument-too-long',
        message: `${name} was given more arguments or variables than the system allows. Shorten them.`,
      };
    default:
      return { how: 'not-started', reason: 'failed', message: `${name} could not be started: ${error.message}.` };
  }
}
