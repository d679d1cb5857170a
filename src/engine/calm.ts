import type { Clock } from '../ports/clock.ts';

const QUIET_MS = 40;
const WAITS_MAX = 6;

/**
 * Tells when a moment has passed in which no place of a batch was given up or filled. Members tend to end and begin at
 * the same time; what is not urgent gives way to them, so that places stand empty as briefly as can be (R-PAR-1).
 */
export class Calm {
  readonly #clock: Clock;
  #stirs = 0;
  /** How often something had stirred when it was last found to be calm. */
  #calmAt = 0;
  /** Whoever waits at the same time shares the wait. */
  #coming: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Something urgent begins or has ended. */
  stir(): void {
    this.#stirs++;
  }

  /** Resolves when it is calm, after a quarter of a second at most, and soon when the signal is aborted. */
  come(signal: AbortSignal): Promise<void> {
    this.#coming ??= this.#wait(signal).finally(() => {
      this.#coming = undefined;
    });
    return this.#coming;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    for (let waits = 0; waits < WAITS_MAX && this.#calmAt !== this.#stirs && !signal.aborted; waits++) {
      const seen = this.#stirs;
      await this.#clock.sleepMs(QUIET_MS, signal);
      if (this.#stirs === seen) this.#calmAt = seen;
    }
  }
}
