import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { GitFault } from '../../ports/git.ts';
import { programOutside } from '../program/program-outside.ts';

/** One start of git, without a shell. */
export interface GitCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: Buffer | string;
  /** How much of stdout is taken; git is ended when it prints more. */
  readonly bytesMax: number;
  readonly wallMs: number;
  readonly signal?: AbortSignal;
}

/** How a call of git ended. `code` is undefined when a signal, ours or another, ended it. */
export interface GitAnswer {
  readonly code: number | undefined;
  readonly stdout: Buffer;
  /** The last part of what it and its hooks said. */
  readonly stderr: string;
  readonly stopped: 'no' | StopReason;
  /** Where it ran. */
  readonly dir: string;
}

type StopReason = 'too-long' | 'too-much' | 'asked';

const STDERR_BYTES_MAX = 64 * 1024;
const GRACE_MS = 2_000;
/** Time to learn that git has ended, should this process have been suspended past the limit (Ctrl-Z), in milliseconds. */
const CATCH_UP_MS = 250;

/**
 * Runs git and collects what it prints. It gets a session of its own, so that Ctrl-C in our terminal does not tear a
 * commit apart, and so that a hook that hangs can be ended with all it started. Throws `GitFault` if it cannot be started.
 */
export function runGit(call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve, reject) => {
    const { args, cwd, env } = call;
    const program = programOutside('git', { path: env.PATH, workspace: cwd });
    if (program === undefined) return reject(notInstalled(cwd));
    const child = spawn(program, args, {
      cwd,
      env,
      detached: true,
      stdio: [call.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.once('error', (error) => reject(notStarted(error, cwd)));
    if (child.pid === undefined) return;
    const stop = stopper(child);
    const stdout = head(child.stdout, call.bytesMax, () => stop('too-much'));
    const stderr = tail(child.stderr, STDERR_BYTES_MAX);
    feed(child, call.stdin);
    let limit = setTimeout(() => {
      limit = setTimeout(() => stop('too-long'), CATCH_UP_MS);
    }, call.wallMs);
    const onAbort = (): void => stop('asked');
    if (call.signal?.aborted) onAbort();
    call.signal?.addEventListener('abort', onAbort, { once: true });
    child.once('exit', () => releasePipes(child));
    child.once('close', (code) => {
      clearTimeout(limit);
      call.signal?.removeEventListener('abort', onAbort);
      resolve({
        code: code ?? undefined,
        stdout: stdout(),
        stderr: stderr().toString(),
        stopped: stop.reason(),
        dir: cwd,
      });
    });
  });
}

function notStarted(error: NodeJS.ErrnoException, cwd: string): GitFault {
  return error.code === 'ENOENT'
    ? notInstalled(cwd)
    : new GitFault('passing', `git could not be started: ${error.message}.`);
}

function notInstalled(cwd: string): GitFault {
  return new GitFault(
    'other',
    `git was not found (a git in the working tree or node_modules is not used), or the folder ${cwd} no longer exists. Check both, then run the command again.`,
  );
}

/** A prompt that no one reads to its end is no failure: git has said what it wanted. */
function feed(child: ChildProcess, text: Buffer | string | undefined): void {
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.end(text);
}

/** Ends the session of git, asking first: git takes its lock files away when asked. */
function stopper(child: ChildProcess): { (reason: StopReason): void; reason(): GitAnswer['stopped'] } {
  let stopped: GitAnswer['stopped'] = 'no';
  const stop = (reason: StopReason): void => {
    if (stopped !== 'no') return;
    stopped = reason;
    endGroup(child, 'SIGTERM');
    setTimeout(() => endGroup(child, 'SIGKILL'), GRACE_MS).unref();
  };
  return Object.assign(stop, { reason: () => stopped });
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** What a hook left running may hold the pipes for ever: git's own end is what counts. */
function releasePipes(child: ChildProcess): void {
  const timer = setTimeout(() => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  }, GRACE_MS);
  child.once('close', () => clearTimeout(timer));
}

function head(stream: Readable | null, bytesMax: number, onMore: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (size + chunk.length > bytesMax) onMore();
    chunks.push(chunk.subarray(0, bytesMax - size));
    size = Math.min(size + chunk.length, bytesMax);
  });
  return () => Buffer.concat(chunks);
}

function tail(stream: Readable | null, bytesMax: number): () => Buffer {
  let kept = Buffer.alloc(0);
  stream?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]).subarray(-bytesMax);
  });
  return () => kept;
}
