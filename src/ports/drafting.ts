import type { DraftMaterial } from '../core/brief/draft-brief.ts';
import type { DraftStep } from '../core/plan/data/step.ts';
import type { Task } from '../core/plan/data/task.ts';
import type { DraftProblem } from '../core/planning/draft-problem.ts';
import type { TreeBefore } from '../core/planning/planning-facts.ts';
import type { ShownScope } from '../core/progress/scope.ts';

/** A draft as it is in the spec's folder now. */
export interface CheckedDraft {
  /** Hash of its content (R-GATE-2); absent where there is no text. */
  readonly sha256?: string;
  /** It advises against the goal: a person decides, whatever the gates are (R-STOP-1). */
  readonly advisesAgainst?: true;
  /** The scope that it drafts, or that a person wrote (R-SCOPE-1). */
  readonly scope?: ShownScope;
  /** In the order of their places. */
  readonly problems: readonly DraftProblem[];
  /** The Verify commands of a plan that are to be tried before it is recorded; absent where no check may run any. */
  readonly probe?: DraftProbe;
  /** The other documents of the spec that it can have been made from, with the hashes of their content. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** What of a drafted plan is tried (R-PROBE-1). */
export interface DraftProbe {
  /** Path of the plan, relative to the repository. */
  readonly file: string;
  readonly tasks: readonly Task[];
  /** The open tasks whose commands a person has trusted. */
  readonly trusted: readonly Task[];
  /** How many commands of open tasks are not trusted. */
  readonly untrusted: number;
}

/** What a run of planning has to know of the documents of its spec. */
export interface Drafting {
  /** Checks the document of a step in this folder, that of the spec (R-PLAN-5). Changes nothing, and runs nothing of the repository. */
  check(step: DraftStep, dir: string): Promise<CheckedDraft>;
  /** What the author of a step is told, as far as code can find it out. */
  material(step: DraftStep): Promise<DraftMaterial>;
  /** Removes the private files of the spec, its folder if nothing is left in it, and makes the spec active that was; says what. */
  forget(before: TreeBefore): Promise<readonly string[]>;
  /** Marks the document of a step as made without a person; done again it changes nothing (R-PLAN-3). */
  mark(step: DraftStep): Promise<void>;
  /**
   * The progress file as it is once the document of a step is recorded: with the scope that it drafts (R-SCOPE-1), and without what a
   * person decided about an earlier draft of it (R-GATE-3). Done again it changes nothing.
   */
  noted(step: DraftStep, progress: string): Promise<string>;
}
