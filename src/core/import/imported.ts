/** A task of a foreign list, before it is written into a plan (R-DIA-7). */
export interface ImportedTask {
  /** Its id in the source; dependencies name it. */
  readonly source: string;
  /** Its number in the new plan; given in order where it is absent. */
  readonly id?: string;
  readonly title: string;
  readonly state: 'open' | 'in-progress' | 'blocked' | 'done';
  readonly optional?: boolean;
  /** It may run in parallel, as its source says; absent where dependencies decide. */
  readonly parallel?: boolean;
  /** Source ids of tasks and units. */
  readonly dependsOn: readonly string[];
  readonly do: readonly string[];
  readonly doneWhen: readonly string[];
  /** What the group that it is in says. */
  readonly context?: readonly string[];
  readonly requirements?: readonly string[];
  /** Fields that have no name in the native form, such as *Priority*. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
}

/** Tasks that stay together in the new order: one alone, or those of a group. */
export interface ImportedUnit {
  readonly source: string;
  /** Title of the group; absent for a task alone. */
  readonly group?: string;
  readonly tasks: readonly ImportedTask[];
  /** Where several could come next, the lowest comes first. */
  readonly rank: number;
  /** Heading above it. */
  readonly phase?: string;
}

/** A foreign list that was read, and what of it goes nowhere. */
export interface ImportedList {
  readonly kind: 'taskmaster' | 'prd' | 'bmad' | 'kiro' | 'fix-plan';
  /** What the spec could be called; any text. */
  readonly name?: string | undefined;
  readonly heading: string;
  readonly intro?: string;
  readonly units: readonly ImportedUnit[];
  /** Whether dependencies are stated, so that neighbours without one may run in parallel. */
  readonly hasDependencies: boolean;
  /** Source ids that count as done: cancelled tasks. */
  readonly gone: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly why: string }[];
  readonly dropped: readonly string[];
  readonly requirements?: string;
  readonly design?: string;
}

/** A list that was read, or why it cannot be imported; both sentences end with a full stop. */
export type ImportReading =
  | { readonly ok: true; readonly list: ImportedList }
  | { readonly ok: false; readonly message: string; readonly hint: string };
