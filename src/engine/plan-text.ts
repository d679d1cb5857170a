import { parsePlan } from '../core/spec/parse.ts';
import type { Plan } from '../core/spec/task.ts';
import { UserError } from '../core/user-error.ts';

/** Reads a plan that must hold tasks: a plan that can't be read is never "all done" (R-PARSE-6). Throws `UserError`. */
export function readPlanText(text: string | undefined): Plan {
  if (text === undefined)
    throw new UserError(
      'tasks.md is missing.',
      'Put it back, for example from the last commit: git checkout -- tasks.md',
    );
  const plan = parsePlan(text);
  if (plan.tasks.length === 0) {
    throw new UserError(
      'tasks.md holds no task.',
      'A task is a list item with a box, such as "- [ ] 1.1 Add the login form".',
    );
  }
  return plan;
}
