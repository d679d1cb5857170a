/** Time, as the coordinator needs it. */
export interface Clock {
  /** Now, as ISO 8601 in UTC. */
  now(): string;
  /** Resolves at the given instant, or when the signal is aborted. Survives a suspended machine. */
  sleepUntil(instant: string, signal: AbortSignal): Promise<void>;
}
