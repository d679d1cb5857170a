/** Trouble with the service of an agent's model, met in a row by one task; none of it counts as an attempt (R-AGT-3, R-AGT-4). */
export interface ServiceTrouble {
  /** Usage limits. */
  readonly limits: number;
  /** When the first of these was met, in milliseconds since 1970, if that is known. */
  readonly sinceMs?: number;
  /** How often the service was overloaded or out of reach. */
  readonly failures: number;
}

export const noTrouble: ServiceTrouble = { limits: 0, failures: 0 };

/** A usage limit that an agent met. */
export interface MetLimit {
  readonly resetsAt?: string | undefined;
  /** When the agent ended, in milliseconds since 1970; journals of earlier versions do not tell. */
  readonly atMs?: number | undefined;
}
