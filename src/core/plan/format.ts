import type { Dialect } from './data/dialect.ts';
import type { Plan, Problem, Task } from './data/task.ts';
import type { Edited, TaskAddress } from './edit/edit.ts';
import type { FixRequest } from './edit/fix-task.ts';
import type { Decision, ModificationRequest, ProposedTask } from './edit/modification.ts';
import type { Reconciled, ReconcileOptions } from './edit/reconcile.ts';
import type { PlanReading } from './read/read-plan.ts';

/** The documents of a tool: names in the spec's folder, those of folders end in `/`. */
export interface ToolDocuments {
  /** What is wanted: the reviewer gets it whole. */
  readonly requirements: string;
  /** How it is to be built: the reviewer gets it whole. */
  readonly design: string;
  /** What else is in the spec's folder. */
  readonly more: readonly string[];
  /** What holds for all specs, relative to the repository's root. */
  readonly shared: readonly string[];
}

/** What a fix task is found by. */
export interface FixSought {
  /** The id that was chosen for it. */
  readonly id: string;
  readonly original: Pick<Task, 'id'>;
  /** Ids of the fixes of the original that are known already. */
  readonly known: readonly string[];
}

/**
 * One way to write a plan into a file: which file it is, how it is read, and how it is changed byte by byte. Everything
 * outside of `core/plan` reads and changes a plan through the format of its spec, so another dialect is another of these.
 * A plan is only handed to the format that read it.
 */
export interface PlanFormat {
  /** Name of the file in the spec's folder. */
  readonly file: string;
  /** The dialect it reads and writes. */
  readonly dialect: Dialect;
  /** What its tool keeps next to the plan, as context for agents (R-DIA-5). */
  readonly documents: ToolDocuments;
  /** Reads any text; one that holds no task gives a plan without tasks (R-PARSE-1). */
  parse(text: string): Plan;
  /** Reads a text that has to hold a task (R-PARSE-6). */
  read(text: string): PlanReading;
  /** What a person should know before the plan is run (R-PARSE-4, R-PARSE-5). */
  describe(plan: Plan): readonly Problem[];
  /** Marks a task as done (R-PARSE-3). */
  tick(plan: Plan, task: TaskAddress): Edited;
  /** Marks a task as open again. */
  untick(plan: Plan, task: TaskAddress): Edited;
  /** Takes what a person added to the file, and nothing else, into the plan; `undefined` for a file that cannot be read (R-VER-3). */
  reconcile(before: Plan, text: string | undefined, options: ReconcileOptions): Reconciled;
  /** Writes a fix task after its original and the fixes it has (R-REC-4, R-REC-5). */
  insertFix(plan: Plan, request: FixRequest): Edited;
  /** The fix task that was written for a request, in a plan that may hold it already (R-ADV-2). */
  findFix(plan: Plan, request: FixSought): Task | undefined;
  /** Adds a task to the section of the pull request's lifecycle (R-PR-2). */
  addToLifecycle(plan: Plan, section: { readonly number: number }, block: string): Edited;
  /** Decides on a modification request of an agent (R-MOD-2). */
  decide(
    plan: Plan,
    request: ModificationRequest,
    limit: { readonly modificationsSoFar: number; readonly max: number },
  ): Decision;
  /** Writes the tasks of a granted request into the plan, all or none (R-MOD-3). */
  modify(
    plan: Plan,
    request: Pick<ModificationRequest, 'type' | 'originalTaskId'>,
    tasks: readonly ProposedTask[],
  ): Edited;
}
