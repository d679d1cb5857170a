/** What kind of work a goal is: it picks the documents, the order of the work, and a ceiling for tasks (R-PLAN-4). */
export const GOAL_CLASSES = ['trivial', 'bug-fix', 'refactor', 'mid-sized', 'greenfield'] as const;

export type GoalClass = (typeof GOAL_CLASSES)[number];

/** How the work is ordered: a proof of concept first, tests first, or the defect reproduced first. */
export const WORKFLOWS = ['poc-first', 'tdd', 'reproduce-first'] as const;

export type Workflow = (typeof WORKFLOWS)[number];

/** How small the tasks of a plan are meant to be. */
export const TASKS_SIZES = ['fine', 'coarse'] as const;

export type TasksSize = (typeof TASKS_SIZES)[number];
