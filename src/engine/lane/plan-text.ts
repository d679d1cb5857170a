import type { Plan } from '../../core/plan/data/task.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import { UserError } from '../../core/user-error.ts';

/** Reads a plan that must be there and hold tasks (R-PARSE-6). Throws `UserError`. */
export function readPlanText(format: PlanFormat, text: string | undefined): Plan {
  if (text === undefined)
    throw new UserError(
      `${format.file} is missing.`,
      `Put it back, for example from the last commit: git checkout -- ${format.file}`,
    );
  const reading = format.read(text);
  if (!reading.ok) throw new UserError(reading.problem.message, reading.problem.hint);
  return reading.plan;
}
