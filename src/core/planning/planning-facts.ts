import type { Drafted } from '../plan/data/step.ts';
import { commandLine } from '../text/command-line.ts';
import type { GoalClass, TasksSize, Workflow } from './goal-class.ts';
import type { MeasuredCommand } from './project-commands.ts';

/** What a planning run was started with: everything that a person decided (R-PLAN-2). Plain data, part of the journal. */
export interface PlanningFacts {
  /** Name of the spec, and its folder relative to the repository. */
  readonly spec: string;
  readonly path: string;
  /** What is typed for the spec in a command, where its name does not lead to it. */
  readonly operand?: string;
  readonly goal: string;
  readonly goalClass: GoalClass;
  readonly workflow: Workflow;
  /** Documents that are left out; absent for none. */
  readonly skipped?: readonly Drafted[];
  readonly tasksSize?: TasksSize;
  /** All documents without gates, then execution. */
  readonly isQuick?: true;
  /** How the tree was before, where a failure takes away what the run made (R-PLAN-3). */
  readonly before?: TreeBefore;
  /** What was decided before, as the progress file tells it, a line each: it is not asked again (R-ASK-3). */
  readonly decisions?: readonly string[];
  /** What the quality commands did in an earlier run. */
  readonly measured?: readonly MeasuredCommand[];
  /** The draft that is there is checked and reviewed first; its author is asked for what is found. */
  readonly reviewsFirst?: true;
}

/** The spec as it is typed in a command. */
export function specWord({ spec, operand }: Pick<PlanningFacts, 'spec' | 'operand'>): string {
  return commandLine(operand ?? spec);
}

/** A working tree before documents were made in it without a person (R-PLAN-3). */
export interface TreeBefore {
  readonly branch: string;
  readonly head: string;
  /** Paths in the spec's folder that were in no commit; they stay as they are. */
  readonly uncommitted: readonly string[];
  /** Text of the file that names the active spec; absent without one. */
  readonly currentSpec?: string;
}
