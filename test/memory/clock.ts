import type { Clock } from '../../src/ports/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to go on: hours pass in no time, and the same way every time. */
export class MemoryClock implements Clock {
  #now: number;
  /** In the order they wake. */
  #sleepers: readonly Sleeper[] = [];

  /** `start` is ISO 8601 in UTC. */
  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): string {
    return new Date(this.#now).toISOString();
  }

  async sleepUntil(instant: string, signal: AbortSignal): Promise<void> {
    await this.#sleep(Date.parse(instant), signal);
  }

  async sleepMs(ms: number, signal: AbortSignal): Promise<void> {
    await this.#sleep(this.#now + ms, signal);
  }

  /** Moves on to the next instant that somebody waits for, and wakes who waits for it; false if nobody does. */
  advance(): boolean {
    const [first, ...others] = this.#sleepers;
    if (first === undefined) return false;
    this.#sleepers = others;
    this.#now = Math.max(this.#now, first.at);
    first.wake();
    return true;
  }

  /** Forgets everybody who waits: they never wake. */
  forget(): void {
    this.#sleepers = [];
  }

  #sleep(at: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || at <= this.#now) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at,
        wake: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#sleepers = [...this.#sleepers, sleeper].sort((left, right) => left.at - right.at);
    });
  }
}
