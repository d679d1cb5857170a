import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';
import type { SpecDocuments } from './documents.ts';

/** What a run of planning is started with, as the spec and a person say. Throws `UserError` for a spec without a goal. */
export function planningFacts(
  { spec: { name, path } }: SpecPlace,
  { goal, choices }: Pick<SpecDocuments, 'goal' | 'choices'>,
): PlanningFacts {
  if (goal === '')
    throw new UserError(
      `The spec ${name} says no goal.`,
      'Write it below "## Original Goal" in its progress file, then run the command again.',
    );
  const { goalClass, workflow, skipped, tasksSize } = choices;
  return {
    spec: name,
    path,
    goal,
    goalClass,
    workflow,
    ...(skipped.length > 0 && { skipped }),
    ...(tasksSize === 'coarse' && { tasksSize }),
  };
}
