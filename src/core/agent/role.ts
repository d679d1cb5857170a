/** Who drafts a document of a spec (R-PLAN-2). */
export type PlanningRole = 'researcher' | 'product-manager' | 'architect' | 'planner';

/** Who works on the tasks of a plan, and who reviews the work of others. */
export type WorkRole = 'executor' | 'verifier' | 'reviewer';

/** Who an agent is for one attempt (R-DEL-2): the value of `SPECLOOP_ROLE`. */
export type Role = WorkRole | PlanningRole;

/** The roles that the tasks of a plan need, in the order in which people are told of them. */
export const WORK_ROLES: readonly WorkRole[] = ['executor', 'verifier', 'reviewer'];

/** The roles that draft the documents of a spec, in their order. */
const PLANNING_ROLES: readonly PlanningRole[] = ['researcher', 'product-manager', 'architect', 'planner'];

/** All roles. */
export const ROLES: readonly Role[] = [...WORK_ROLES, ...PLANNING_ROLES];

/** Whether a role drafts documents in place of working on tasks. */
export function isPlanningRole(role: Role): role is PlanningRole {
  return (PLANNING_ROLES as readonly Role[]).includes(role);
}
