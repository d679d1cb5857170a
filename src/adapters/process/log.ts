import { closeSync, constants, mkdirSync, openSync, read, write } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const HEAD_SHARE = 10;
const COPY_BYTES = 1 << 20;

const readAt = promisify(read);
const writeAt = promisify(write);

/** Every byte a program printed, for people. */
export interface ProcessLog {
  /** Resolves when the bytes are written; waiting for it is what keeps memory bounded. Never rejects. */
  write(chunk: Buffer): Promise<void>;
  /** Completes the log. Resolves with one sentence on why it is incomplete, if it is. */
  close(): Promise<string | undefined>;
}

/**
 * Starts a log from empty. It keeps the beginning and the end of what is written to it (R-DEL-6). One that cannot be written
 * is given up, and says so when it is closed: a program's work is worth more than its log.
 */
export function openLog(path: string, bytesMax: number): ProcessLog {
  let failure: string | undefined;
  const giveUp = (error: Error) => {
    failure = `The log ${path} is incomplete: ${error.message}.`;
  };
  let file: CappedFile | undefined;
  try {
    file = openFile(path, bytesMax);
  } catch (error) {
    giveUp(error as Error);
  }
  let lastStep = Promise.resolve();
  const step = (take: (file: CappedFile) => Promise<void>) => {
    const next = async () => {
      if (failure === undefined && file !== undefined) await take(file);
    };
    lastStep = lastStep.then(next).catch(giveUp);
    return lastStep;
  };
  return {
    write: (chunk) => step((file) => file.append(chunk)),
    close: async () => {
      await step((file) => file.putInOrder());
      try {
        file?.close();
      } catch (error) {
        giveUp(error as Error);
      }
      return failure;
    },
  };
}

/** Opens the file, empty, and at once: most programs print little. A symbolic link in its place is not followed. */
function openFile(path: string, bytesMax: number): CappedFile {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const flags = constants.O_CREAT | constants.O_TRUNC | constants.O_RDWR | constants.O_NOFOLLOW;
  return new CappedFile(path, openSync(path, flags, 0o600), bytesMax);
}

/** A file with a beginning of fixed size, and a ring after it that holds the last bytes. */
class CappedFile {
  readonly #path: string;
  /** Its file descriptor. */
  readonly #file: number;
  readonly #headMax: number;
  readonly #ringMax: number;
  #total = 0;

  constructor(path: string, file: number, bytesMax: number) {
    this.#path = path;
    this.#file = file;
    this.#headMax = Math.floor(bytesMax / HEAD_SHARE);
    this.#ringMax = bytesMax - this.#headMax;
  }

  async append(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const isHead = this.#total < this.#headMax;
      const inRing = isHead ? 0 : (this.#total - this.#headMax) % this.#ringMax;
      const at = isHead ? this.#total : this.#headMax + inRing;
      const room = isHead ? this.#headMax - at : this.#ringMax - inRing;
      const { bytesWritten } = await writeAt(this.#file, rest, 0, Math.min(room, rest.length), at);
      this.#total += bytesWritten;
      rest = rest.subarray(bytesWritten);
    }
  }

  /** Unrolls the ring, with a line before it that says how much is missing; nothing to do if nothing is. */
  async putInOrder(): Promise<void> {
    const end = this.#headMax + this.#ringMax;
    if (this.#total <= end) return;
    const oldest = this.#headMax + ((this.#total - this.#headMax) % this.#ringMax);
    const ordered = `${this.#path}.ordered`;
    await rm(ordered, { force: true });
    const target = await open(ordered, 'wx', 0o600);
    try {
      await this.#copy(target, { from: 0, to: this.#headMax });
      await target.writeFile(`\n[... ${this.#total - end} bytes left out ...]\n`);
      await this.#copy(target, { from: oldest, to: end });
      await this.#copy(target, { from: this.#headMax, to: oldest });
    } finally {
      await target.close();
    }
    await rename(ordered, this.#path);
  }

  close(): void {
    closeSync(this.#file);
  }

  async #copy(target: FileHandle, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    const buffer = Buffer.allocUnsafe(COPY_BYTES);
    for (let at = from; at < to; ) {
      const { bytesRead } = await readAt(this.#file, buffer, 0, Math.min(buffer.length, to - at), at);
      if (bytesRead === 0) throw new Error('it was truncated while it was being written');
      await target.writeFile(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
  }
}
