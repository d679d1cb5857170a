import type { Answered } from '../answer/answered.ts';
import type { Coverage } from '../artifact/coverage.ts';
import type { Task } from '../plan/data/task.ts';
import type { ProgressContext } from '../progress/context.ts';

/** Who marks, logs and commits (R-DEL-5). */
export type Bookkeeping = 'coordinator' | 'agent';

/** What is said about the attempt before. */
export interface LastFailure {
  /** The verification layer that rejected it, or how the attempt ended, in words. */
  readonly layer: string;
  /** The reason, output included; text from outside. */
  readonly text: string;
}

/** What every brief tells. */
export interface BriefBasis {
  readonly spec: {
    readonly name: string;
    /** The spec's folder, relative to the workspace. */
    readonly path: string;
    /** The plan is a file among others: what else is in its folder is none of its documents. */
    readonly isSingleFile?: true | undefined;
    /** Name of the file in it that holds the plan. */
    readonly planFile: string;
    /** Name of the file in it that says what was done and learned. */
    readonly progressFile: string;
    /** Name of the file in it that holds the state of the run. */
    readonly stateFile: string;
    /** Names of the documents that are in it. */
    readonly documents: readonly string[];
    /** Paths of further documents, relative to the workspace (R-DIA-5). */
    readonly context?: readonly string[];
  };
  /** The workspace, relative to the repository's root; absent or empty for the root. */
  readonly workdir?: string;
  readonly task: Pick<Task, 'id' | 'index' | 'title' | 'block' | 'files' | 'commit' | 'commitKind'> &
    Partial<Pick<Task, 'verifyKind'>>;
  /** From 1. */
  readonly attempt: number;
  /** Longest prompt, in bytes (R-AGT-7). */
  readonly bytesMax: number;
}

/** What the brief of an executor or verifier is made of. */
export interface WorkBrief extends BriefBasis {
  readonly role: 'executor' | 'verifier';
  /** Texts of the groups that the task is in, the outermost first; they hold for it too (R-DIA-4). */
  readonly parents?: readonly string[];
  /** The plan is that of another tool: its tasks need not have fields (R-DIA-6). */
  readonly isOfOtherTool?: boolean;
  readonly progress: ProgressContext;
  readonly bookkeeping: Bookkeeping;
  readonly lastFailure?: LastFailure | undefined;
  /** What a person answered to questions of earlier attempts. */
  readonly answered?: readonly Answered[] | undefined;
  /** Whether the agent has the tools of its attempt (R-AGT-9). */
  readonly hasTools?: boolean | undefined;
  /** What was tried before, fix tasks for one, a line each. */
  readonly tried?: readonly string[] | undefined;
  /** For the task that checks the acceptance criteria: how far they are proven (R-TRACE-1). */
  readonly coverage?: Coverage | undefined;
  /** The progress file of this task alone (isolation `shared`); otherwise that of the spec. Relative to the workspace. */
  readonly progressFile?: string | undefined;
}

/** What a reviewer is given (R-VER-7). */
export interface ReviewMaterial {
  /** From 1; of at most 3. */
  readonly round: number;
  /** The task blocks under review: one, or all of a batch (R-PAR-7). */
  readonly blocks: readonly string[];
  /** Paths changed since the start commit. */
  readonly changedFiles: readonly string[];
  /** The change as a unified diff, or its beginning; only the beginning is shown when it is long. */
  readonly diff: string;
  readonly requirements?: string | undefined;
  readonly design?: string | undefined;
  /** What earlier rounds found. */
  readonly earlierFindings: readonly string[];
  /** Sentences of the executor's answer that are signs of something missing (R-VER-11). */
  readonly doubts?: readonly string[] | undefined;
}

/** What the brief of a reviewer is made of (R-VER-7). */
export interface ReviewBrief extends BriefBasis {
  readonly role: 'reviewer';
  readonly review: ReviewMaterial;
}

/** Everything a prompt is made of. Texts may come from anywhere; they are bounded and marked here. */
export type BriefInput = WorkBrief | ReviewBrief;
