import { decisionsIn } from '../../core/planning/decisions.ts';
import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';
import type { SpecDocuments } from './documents.ts';

/** What a run of planning is started with, as the spec and a person say. Throws `UserError` for a spec without a goal. */
export function planningFacts(
  { spec: { name, path, operand, progressFile } }: SpecPlace,
  {
    goal,
    choices,
    progress,
    measured,
  }: Pick<SpecDocuments, 'goal' | 'choices' | 'progress'> & {
    readonly measured: PlanningFacts['measured'] | undefined;
  },
): PlanningFacts {
  if (goal === '')
    throw new UserError(
      `The spec ${name} says no goal.`,
      `Write it below "## Original Goal" in ${path}/${progressFile}, then run the command again.`,
    );
  const { goalClass, workflow, skipped, tasksSize } = choices;
  const { byPersons, assumed } = decisionsIn(progress);
  const decisions = [...byPersons, ...assumed];
  return {
    spec: name,
    path,
    ...(operand !== name && { operand }),
    goal,
    goalClass,
    workflow,
    ...(skipped.length > 0 && { skipped }),
    ...(tasksSize === 'coarse' && { tasksSize }),
    ...(decisions.length > 0 && { decisions }),
    ...(measured && { measured }),
  };
}
