/** What was noticed around someone's work of that which judges it or is the user's (R-VER-14). One sentence each. */
export interface Noticed {
  /** What would have changed a verdict, or lost something of the user's: it was put back, and rejects the attempt. */
  readonly violations: readonly string[];
  /** What is worth a look. */
  readonly concerns: readonly string[];
}

export const NOTHING_NOTICED: Noticed = { violations: [], concerns: [] };

/** What was noticed at one time and at a later one. */
export function bothNoticed(first: Noticed, later: Noticed | undefined): Noticed {
  if (later === undefined) return first;
  return {
    violations: [...first.violations, ...later.violations],
    concerns: [...first.concerns, ...later.concerns],
  };
}
