import type { ProcessInput } from '../../src/ports/process.ts';

/** What the system holds of a text that the program has not read yet. */
const HELD_CHARS_MAX = 64 * 1024;

/** The stdin of a program in memory: one side writes, the program reads lines. */
export class MemoryStdin implements ProcessInput {
  #text: string;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #waiting: ((isTaken: boolean) => void)[] = [];
  #wake = () => {};

  constructor(begin = '') {
    this.#text = begin;
  }

  async write(text: string): Promise<boolean> {
    if (this.#state !== 'open') return false;
    this.#text += text;
    this.#wake();
    return text.length <= HELD_CHARS_MAX || (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wake();
  }

  /** The program closes it, or is gone. */
  close(): void {
    this.#state = 'closed';
    this.#settle(false);
    this.#wake();
  }

  async *lines(): AsyncGenerator<string> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        yield line;
        continue;
      }
      this.#settle(true);
      if (this.#state !== 'open') return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #settle(isTaken: boolean): void {
    for (const resolve of this.#waiting.splice(0)) resolve(isTaken);
  }
}
