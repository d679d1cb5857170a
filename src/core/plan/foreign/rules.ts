import type { ForeignDialect } from '../data/dialect.ts';
import type { Task } from '../data/task.ts';
import type { ToolDocuments } from '../format.ts';

/** In what a dialect differs from the others that are not specloop's own (R-DIA-4, R-DIA-6). */
export interface DialectRules {
  readonly name: ForeignDialect;
  /** What its tool keeps next to the plan (R-DIA-5). */
  readonly documents: ToolDocuments;
  /** Which words at the head of a box are ids; `majority`: any form, if more than half of the outer boxes have one. */
  readonly ids: 'any' | 'T-number' | 'majority' | 'none';
  /** `any-mark`: a box may hold any one character with blanks around it. */
  readonly boxes: 'one-mark' | 'any-mark';
  /** What `~` in a box says. */
  readonly tilde: 'open' | 'blocked';
  /** Whether boxes with ids that are nested in another box are tasks, and the outer one is their group. */
  readonly hasGroups: boolean;
  /** A group is a task of its own if all its sub-tasks are optional. */
  readonly worksInParents: boolean;
  /** Where an outer box without an id is a task in a file with ids: anywhere, in a section with ids, also below a phase. */
  readonly looseTasks: 'anywhere' | 'in-section' | 'in-section-or-phase';
  /** The owner's tool counts every line that looks like a box, hidden ones and criteria too. */
  readonly countsEveryBox: boolean;
  /** Whether a path in a title is a document of the spec, which a task reads and does not change. */
  readonly isOwnDocument: (path: string) => boolean;
  /** What a task says it touches: entries to be compared with those of its neighbours; `undefined` if it does not say (R-PAR-1). */
  readonly touches: (
    task: Pick<Task, 'files' | 'filesKnown'>,
    boundary: readonly string[],
  ) => readonly string[] | undefined;
  /** How a tick is written: always `x`, or as the first task that is done, else this letter. */
  readonly tick: 'only-x' | 'x' | 'X';
  /** How a fix task names its original: as a reference in underscores, or as a plain field. */
  readonly fixesLine: 'reference' | 'field';
  /** Whether the title of a fix task carries the story label of its original and the files of its title. */
  readonly titleNamesFiles: boolean;
}
