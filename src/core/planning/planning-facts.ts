import type { Drafted } from '../plan/step.ts';
import type { GoalClass, TasksSize, Workflow } from './goal-class.ts';

/** What a planning run was started with: everything that a person decided (R-PLAN-2). Plain data, part of the journal. */
export interface PlanningFacts {
  /** Name of the spec, and its folder relative to the repository. */
  readonly spec: string;
  readonly path: string;
  readonly goal: string;
  readonly goalClass: GoalClass;
  readonly workflow: Workflow;
  /** Documents that are left out; absent for none. */
  readonly skipped?: readonly Drafted[];
  readonly tasksSize?: TasksSize;
  /** All documents without gates, then execution. */
  readonly isQuick?: true;
  /** What a person wants changed in the draft that is there (R-GATE-3). */
  readonly feedback?: string;
}
