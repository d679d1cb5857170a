/** Time, as the coordinator needs it. */
export interface Clock {
  /** Now, as ISO 8601 in UTC. */
  now(): string;
  /** Resolves at the given instant, or when the signal is aborted. Survives a suspended machine. */
  sleepUntil(instant: string, signal: AbortSignal): Promise<void>;
  /** Resolves when so many milliseconds have passed, or when the signal is aborted. Stands still while the machine is suspended. */
  sleepMs(ms: number, signal: AbortSignal): Promise<void>;
}
