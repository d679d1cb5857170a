import type { Role } from '../../agent/role.ts';
import type { PlannedTask } from '../../plan/data/planned-task.ts';

/** The role of the agent that a task or a step of planning is for (R-DEL-2, R-PLAN-2). */
export function roleOf({ step, verify }: Pick<PlannedTask, 'step' | 'verify'>): Role {
  return step?.role ?? (verify ? 'verifier' : 'executor');
}
