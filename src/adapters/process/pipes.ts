import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

/** A pipe, as the file descriptors of its two ends. Who takes one closes them. */
export interface Pipe {
  readonly reading: number;
  readonly writing: number;
}

const MADE_AT_ONCE = 32;
/** When fewer are left, more are made before a program has to wait for them. */
const ENOUGH = 8;

/**
 * Pipes that a program can also open by name. What Node makes for a program's output are sockets, and there
 * `echo >/dev/stderr` fails ("No such device or address"). Node cannot make pipes, so they are made a few at a time.
 */
export class PipeStock {
  readonly #ready: Pipe[] = [];
  /** Programs that begin at the same time wait for the same pipes. */
  #making: Promise<void> | undefined;

  /** Rejects if the folder for temporary files cannot be written, or too many files are open. */
  async take(): Promise<Pipe> {
    for (;;) {
      const pipe = this.#ready.pop();
      if (this.#ready.length < ENOUGH) this.prepare();
      if (pipe !== undefined) return pipe;
      await this.#refill();
    }
  }

  /** Has pipes made before a program waits for them. */
  prepare(): void {
    this.#refill().catch(() => undefined); // Who takes one is told.
  }

  /** Closes the pipes that no one took. */
  async close(): Promise<void> {
    await this.#making?.catch(() => undefined);
    for (const pipe of this.#ready.splice(0)) closePipe(pipe);
  }

  #refill(): Promise<void> {
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<void> {
    this.#ready.push(...(await makePipes(MADE_AT_ONCE)));
  }
}

export function closePipe({ reading, writing }: Pipe): void {
  closeSync(reading);
  closeSync(writing);
}

/** Makes named pipes, opens them and takes their names away again, at once: there are turns of the loop that take longer. */
async function makePipes(count: number): Promise<readonly Pipe[]> {
  const dir = temporaryFolder();
  const made: Pipe[] = [];
  try {
    const paths = Array.from({ length: count }, (_, index) => join(dir, String(index)));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    for (const path of paths) {
      made.push(openPipe(path));
      unlinkSync(path);
    }
    return made;
  } catch (error) {
    made.forEach(closePipe);
    throw error;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function openPipe(path: string): Pipe {
  // Without blocking, a named pipe opens for reading before it has a writer; only then it opens for writing at once.
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { reading, writing: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(reading);
    throw error;
  }
}
