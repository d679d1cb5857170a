/** An attempt of a run, by the key of its task and its number. */
export interface AttemptKey {
  readonly key: string;
  readonly attempt: number;
}
