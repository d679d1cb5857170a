/** What is known of the fixes of one task (R-REC-3, R-REC-7). */
export interface FixRecord {
  readonly attempts: number;
  readonly fixTaskIds: readonly string[];
  readonly lastError: string;
}

/** What was granted to one task (R-MOD-4). */
export interface ModificationRecord {
  readonly count: number;
  readonly modifications: readonly {
    readonly type: string;
    readonly tasks: readonly string[];
    readonly reason: string;
  }[];
}

/** Counts that no new run may forget: they come from the journal of the last run and the state file. By task key. */
export interface Carried {
  readonly fixes: Readonly<Record<string, FixRecord>>;
  readonly modifications: Readonly<Record<string, ModificationRecord>>;
  /** Tests that the last run left broken or unseen: what failed before it, and the newest task they did not see. */
  readonly tests?: {
    readonly baseline: readonly string[];
    /** Key of the task. */
    readonly unseen: string;
  };
  /** Completed tasks whose progress entry still lacks its hash: the newest of the run before. */
  readonly unnamed?: {
    /** Key of the task. */
    readonly id: string;
    readonly commit: string;
  };
}

export const nothingCarried: Carried = { fixes: {}, modifications: {} };
