import type { Readable, Writable } from 'node:stream';
import type { Launch, Printed } from '../../ports/process.ts';
import { openInput } from './input.ts';
import { LineSplitter } from './lines.ts';
import { openLog } from './log.ts';
import type { RedactedStream } from './redaction.ts';
import { Tail } from './tail.ts';

const LINE_BYTES_MAX = 8 << 20;
const LOG_BYTES_MAX = 50 << 20;

/** What came of a program's output. */
export interface KeptOutput {
  readonly stdout: Printed;
  readonly stderr: Printed;
  readonly logFailure?: string;
}

/** What a program prints to, and its stdin if it stays open. */
export interface Streams {
  readonly stdin?: Writable | null;
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** What happens on the way. */
export interface Taking {
  readonly onActivity: () => void;
  /** Takes secrets out of what is kept (R-SEC-2). */
  readonly redact?: (() => RedactedStream) | undefined;
}

/**
 * Takes in both streams until they end or are destroyed, in bounded memory however much it is (R-DEL-6): into tails, lines
 * and the log, as the launch asks. Rejects with what a callback of the launch threw.
 */
export async function takeIn(streams: Streams, launch: Launch, { onActivity, redact }: Taking): Promise<KeptOutput> {
  const { tailBytesMax, onLine, onInput, lineBytesMax = LINE_BYTES_MAX, logFile, logBytesMax = LOG_BYTES_MAX } = launch;
  const log = logFile === undefined ? undefined : openLog(logFile, logBytesMax);
  const lines = onLine && new LineSplitter(lineBytesMax, onLine);
  const stdout = new Tail(tailBytesMax);
  const stderr = new Tail(tailBytesMax);
  const take = async (stream: Readable, tail: Tail, split?: LineSplitter) => {
    const redacted = redact?.();
    const keep = async (bytes: Buffer) => {
      tail.push(bytes);
      await log?.write(bytes);
    };
    for await (const chunk of chunksOf(stream)) {
      onActivity();
      split?.push(chunk);
      await keep(redacted?.push(chunk) ?? chunk);
    }
    if (redacted) await keep(redacted.end());
    split?.end();
  };
  let logFailure: string | undefined;
  try {
    if (streams.stdin) onInput?.(openInput(streams.stdin, launch.stdin));
    await Promise.all([take(streams.stdout, stdout, lines), take(streams.stderr, stderr)]);
  } finally {
    logFailure = await log?.close();
  }
  return { stdout: stdout.printed(), stderr: stderr.printed(), ...(logFailure !== undefined && { logFailure }) };
}

/** The chunks of a stream; that it is destroyed is just its end. */
async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch {
    // The pipe was taken away, because someone else still held it.
  }
}
