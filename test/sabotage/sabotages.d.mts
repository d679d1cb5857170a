/** A one-line mistake, and the tests that have to notice it. */
export interface Sabotage {
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly string[];
}

export const sabotages: readonly Sabotage[];
