import type { PlanningRole } from '../agent/role.ts';

/** A document of a spec that a step of planning drafts. */
export type Drafted = 'research' | 'requirements' | 'design' | 'tasks';

/** What makes a unit of a run a step of planning: it drafts a document in place of doing a task of a plan (R-PLAN-2). */
export interface DraftStep {
  readonly artifact: Drafted;
  /** Name of its file in the spec's folder. */
  readonly file: string;
  readonly role: PlanningRole;
  /** Whether a person has to approve the draft before the next step begins (R-GATE-1). */
  readonly gate: boolean;
}
