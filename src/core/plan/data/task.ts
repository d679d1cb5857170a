import type { Dialect } from './dialect.ts';
import type { DraftStep } from './step.ts';

/** What the box of a task says. Only `done` is done; the other two are a person's notes (R-READ-1). */
export type BoxState = 'open' | 'in-progress' | 'blocked' | 'done';

/** How a *Verify* value was classed (R-PARSE-5). Only a `command` is ever run. */
export type VerifyKind = 'command' | 'prose' | 'manual' | 'none';

/** How a *Commit* value was classed: a message, a deliberate "None", or no such field. */
export type CommitKind = 'message' | 'none' | 'missing';

/** A place in the file: line and column count from 1, offset is a UTF-16 index into the text from 0. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** One task of a plan, as written (R-PARSE-2). */
export interface Task {
  /** Position in file order, from 0. */
  readonly index: number;
  /** The id as written, or one made from the title when the file gives none. */
  readonly id: string;
  /** Unique in the plan: the id, with `#2`, `#3` added for a repeated one. */
  readonly key: string;
  /** Whether the id is in the file. */
  readonly hasOwnId: boolean;
  /** Without id, known markers and trailing blanks. */
  readonly title: string;
  readonly state: BoxState;
  /** `state === 'done'`. */
  readonly checked: boolean;
  /** Known markers at the head, upper case, as `P`, `VERIFY`, `SEQUENTIAL`, `RED`, `GREEN`, `YELLOW`, `FIX 1.3`. */
  readonly markers: readonly string[];
  /** `[P]` that neither `[VERIFY]` nor `[SEQUENTIAL]` overrules (R-READ-6). */
  readonly parallel: boolean;
  readonly verify: boolean;
  readonly sequential: boolean;
  readonly optional: boolean;
  /** Id of the task this one repairs, from `[FIX id]`. */
  readonly fixes?: string;
  /** Heading of the phase, as written (R-READ-10). */
  readonly phase?: string;
  /** Text of *Do*, if given. */
  readonly steps?: string;
  /** Text of *Done when*, if given. */
  readonly doneWhen?: string;
  /** Paths or globs of *Files* (R-READ-13). */
  readonly files: readonly string[];
  /** Whether a *Files* field names paths or says "None"; if false, an empty `files` says nothing about what is touched. */
  readonly filesKnown: boolean;
  readonly verifyKind: VerifyKind;
  /** The command to run, or `null` (R-READ-12). */
  readonly verifyCommand: string | null;
  /** The value of *Verify* as written, trimmed; absent without the field. */
  readonly verifyText?: string;
  readonly commitKind: CommitKind;
  /** The commit message, or `null` (R-READ-14). */
  readonly commit: string | null;
  readonly requirements: readonly string[];
  readonly design: readonly string[];
  readonly dependsOn: readonly string[];
  /** Exact text from the start of the task's first line to the end of its body, without trailing blank lines. */
  readonly block: string;
  /** Where the character inside the box is; of several boxes, inside the first one that is not done. */
  readonly box: TextPlace;
  /** Only for a heading that is a task (R-READ-8): offsets of the characters inside all boxes of its section. */
  readonly boxes?: readonly number[];
  /** Offsets of the boxes in it that have no id and are ticked with it (R-DIA-6). */
  readonly checklist?: readonly number[];
  /** What it says it touches, where its dialect has more ways to say so than *Files*; compared with that of neighbours (R-PAR-1). */
  readonly touches?: readonly string[];
  /** Neighbours with the same number have no heading and no group between them; only those may run in parallel. */
  readonly stretch?: number;
  /** Text of *Blocked*, if given. */
  readonly blockedBy?: string;
  /** Offsets of the block in the text: `[start, end)`; `end` is after the last line break of the block, before trailing blank lines. */
  readonly span: { readonly start: number; readonly end: number };
  /** It drafts a document of the spec: a plan that code made for planning holds such (R-PLAN-2). */
  readonly step?: DraftStep;
}

/** A box that only holds other tasks (R-READ-7). It is ticked when its required children are. */
export interface Group {
  readonly id: string | null;
  readonly title: string;
  readonly state: BoxState;
  readonly box: TextPlace;
  /** Indices of its tasks. */
  readonly children: readonly number[];
  /** Ticked once all its tasks are done, optional ones too. */
  readonly optional?: boolean;
  /** Its own text, which holds for each of its tasks; without theirs. */
  readonly block?: string;
}

/** Something the reader wants a person to know, in the reader's own words. */
export interface Problem {
  readonly severity: 'error' | 'warning';
  /** Stable name, kebab-case, as `duplicate-id`. */
  readonly code: string;
  readonly line: number;
  readonly column: number;
  /** One sentence, ends with a full stop. */
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
}

/** The tasks of one `tasks.md`, in file order, and everything needed to write into it byte by byte. */
export interface Plan {
  /** The text as read, byte order mark included. */
  readonly text: string;
  /** The dialect it was read as. */
  readonly dialect: Dialect;
  readonly tasks: readonly Task[];
  readonly groups: readonly Group[];
  readonly problems: readonly Problem[];
  /** The line break the file uses, for inserted text. */
  readonly eol: '\n' | '\r\n';
}
