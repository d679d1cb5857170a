import { readPlan } from '../../core/plan/read-plan.ts';
import type { Plan } from '../../core/plan/task.ts';
import { UserError } from '../../core/user-error.ts';

/** Reads a plan that must be there and hold tasks (R-PARSE-6). Throws `UserError`. */
export function readPlanText(text: string | undefined): Plan {
  if (text === undefined)
    throw new UserError(
      'tasks.md is missing.',
      'Put it back, for example from the last commit: git checkout -- tasks.md',
    );
  const reading = readPlan(text);
  if (!reading.ok) throw new UserError(reading.problem.message, reading.problem.hint);
  return reading.plan;
}
