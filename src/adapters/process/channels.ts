import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Launch } from '../../ports/process.ts';
import { closePipe, type PipeStock } from './pipes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** What connects a program with us. */
export interface Channels {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** File descriptors for the program's stdin, stdout and stderr. */
  readonly stdio: readonly ['ignore' | 'pipe' | number, number, number];
  /** Closes the program's ends, once it was started or could not be; our ends close when no process holds the program's ends. */
  readonly closeStdio: () => void;
  /** Takes no more from the program, for when someone else holds its ends. */
  readonly closeOurs: () => void;
}

/** Opens the channels for one program. Rejects if the folder for temporary files cannot be written. */
export async function openChannels(
  pipes: PipeStock,
  { stdin, onInput }: Pick<Launch, 'stdin' | 'onInput'>,
): Promise<Channels> {
  const input = onInput ? 'pipe' : stdin === undefined ? 'ignore' : openInput(stdin);
  const closeInput = () => {
    if (typeof input === 'number') closeSync(input);
  };
  const [out, err] = await takeTwo(pipes).catch((error: unknown) => {
    closeInput();
    throw error;
  });
  const stdout = new Socket({ fd: out.reading, readable: true, writable: false });
  const stderr = new Socket({ fd: err.reading, readable: true, writable: false });
  return {
    stdout,
    stderr,
    stdio: [input, out.writing, err.writing],
    closeStdio: () => {
      closeInput();
      closeSync(out.writing);
      closeSync(err.writing);
    },
    closeOurs: () => {
      stdout.destroy();
      stderr.destroy();
    },
  };
}

async function takeTwo(pipes: PipeStock) {
  const first = await pipes.take();
  const second = await pipes.take().catch((error: unknown) => {
    closePipe(first);
    throw error;
  });
  return [first, second] as const;
}

/**
 * A file that holds `text`, open for reading and without a name. Unlike a socket it can be opened as `/dev/stdin`, and
 * a program that does not read it, or not all, is in no one's way. Written at once: on a busy machine four turns through
 * the thread pool take longer than the file.
 */
function openInput(text: string): number {
  const dir = temporaryFolder();
  try {
    const path = join(dir, 'stdin');
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return openSync(path, 'r');
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
