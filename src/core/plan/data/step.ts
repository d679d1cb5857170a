import type { PlanningRole } from '../../agent/role.ts';

/** A document of a spec that a step of planning drafts. */
export type Drafted = 'research' | 'requirements' | 'design' | 'tasks';

/** A part of research that an agent looks into by itself: this code, what others know, or the tools of the project. */
export type Topic = 'code' | 'outside' | 'tooling';

/** What makes a unit of a run a step of planning: it drafts a document in place of doing a task of a plan (R-PLAN-2). */
export interface DraftStep {
  readonly artifact: Drafted;
  /** The topic whose part it writes, in place of the whole document. */
  readonly topic?: Topic;
  /** The topics whose parts the document is merged from; absent for one that is written at once. */
  readonly parts?: readonly Topic[];
  /** Name of its file in the spec's folder. */
  readonly file: string;
  readonly role: PlanningRole;
  /** Whether a person has to approve the draft before the next step begins (R-GATE-1). */
  readonly gate: boolean;
}
