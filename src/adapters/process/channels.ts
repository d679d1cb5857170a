import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** What connects a program with us. */
export interface Channels {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** File descriptors for the program's stdin, stdout and stderr. */
  readonly theirs: readonly ['ignore' | number, number, number];
  /** Lets go of the program's ends; to be called once it was started, or could not be. */
  closeTheirs(): void;
}

/**
 * Opens channels that a program can also open by name: what Node makes itself are sockets, and opening `/dev/stderr` or
 * `/dev/stdin` then fails ("No such device or address"). Output goes through named pipes, input comes from a file;
 * both lose their names before the program starts. Throws if the folder for temporary files cannot be written.
 */
export async function openChannels(stdin: string | undefined): Promise<Channels> {
  const dir = await mkdtemp(join(tmpdir(), 'specloop-'));
  const opened: number[] = [];
  const open = (path: string, flags: number) => {
    const file = openSync(path, flags);
    opened.push(file);
    return file;
  };
  try {
    const [input, out, err] = [join(dir, 'in'), join(dir, 'out'), join(dir, 'err')];
    await promisify(execFile)('mkfifo', ['-m', '600', out, err]);
    if (stdin !== undefined) await writeFile(input, stdin, { mode: 0o600, flag: 'wx' });
    // A named pipe opens for reading at once only without blocking, and for writing only when it has a reader.
    const ours = [out, err].map((path) => open(path, constants.O_RDONLY | constants.O_NONBLOCK)) as [number, number];
    const writing = [out, err].map((path) => open(path, constants.O_WRONLY)) as [number, number];
    const reading = stdin === undefined ? 'ignore' : open(input, constants.O_RDONLY);
    const [stdout, stderr] = ours.map((fd) => new Socket({ fd, readable: true, writable: false })) as [Socket, Socket];
    const theirs = [reading, ...writing] as const;
    return { stdout, stderr, theirs, closeTheirs: () => closeAll(theirs) };
  } catch (error) {
    closeAll(opened);
    throw error;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function closeAll(files: readonly ('ignore' | number)[]): void {
  for (const file of files) if (file !== 'ignore') closeSync(file);
}
