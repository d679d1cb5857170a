import type { Writable } from 'node:stream';

/** A stream to write text to, at the reader's speed. */
export interface TextOutput {
  /** Hands the text over; a promise means that the reader has to catch up first. Throws once writing has failed. */
  write(text: string): void | Promise<void>;
  /** Fulfilled when everything is handed to the system, or never will be. The stream stays open: it may not be ours. */
  flushed(): Promise<void>;
}

/**
 * Writes to a stream of any speed. A reader that has left (`EPIPE`) is no failure: what is written afterwards goes
 * nowhere (R-UX-5). The listeners stay for good, since a late error without one would end the process.
 */
export function textOutput(stream: Writable): TextOutput {
  let gone: { readonly failure?: Error } | undefined;
  let wake = () => {};
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone ??= error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' ? {} : { failure: error };
    wake();
  });
  stream.on('close', () => {
    gone ??= {};
    wake();
  });
  stream.on('drain', () => wake());
  const isGone = () => gone !== undefined || stream.destroyed;
  const woken = (start: () => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      start();
    });
  return {
    write(text) {
      if (gone?.failure) throw gone.failure;
      if (isGone() || stream.write(text)) return;
      return woken(() => {});
    },
    async flushed() {
      if (!isGone()) await woken(() => stream.write('', wake));
    },
  };
}
