import type { Role } from '../../core/agent/role.ts';
import type { PlanningChoices } from '../../core/planning/choices.ts';
import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import type { ListedStep } from '../../core/planning/step-plan.ts';
import { commitSubject } from '../../core/planning/steps.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';

/** The list of a planning run, and what it is made with. */
export interface PlannedSteps {
  readonly steps: readonly ListedStep[];
  readonly planning: PlanningFacts;
  readonly choices: PlanningChoices;
}

/** The list of a planning run that was interrupted: it goes on with what it was started with. */
export function takenUp(state: RunState | undefined): PlannedSteps | undefined {
  if (state?.planning === undefined || !isUnfinished(state)) return undefined;
  const { planning, tasks } = state;
  const steps = tasks.flatMap(({ step, checked, commit }) =>
    step === undefined
      ? []
      : [{ step, isDone: checked, commit: commit ?? commitSubject(planning.spec, step.artifact) }],
  );
  const { goalClass, workflow, skipped = [], tasksSize = 'fine' } = planning;
  return { steps, planning, choices: { goalClass, workflow, skipped, tasksSize } };
}

/** The roles of the steps that are to be done, and of those who look at their drafts. */
export function rolesOf(steps: readonly ListedStep[]): readonly Role[] {
  const open = steps.filter(({ isDone }) => !isDone).map(({ step }) => step.role);
  return [...new Set<Role>([...open, 'reviewer'])];
}
