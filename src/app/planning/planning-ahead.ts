import type { Role } from '../../core/agent/role.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import { stepPlan } from '../../core/planning/step-plan.ts';
import type { PlanningAhead, RoleAhead } from '../../core/view/steps-ahead.ts';
import type { SpecPlace } from '../place.ts';
import type { FactsAtStart } from '../start/ready.ts';
import { limitsOf } from '../start/world.ts';
import type { ChosenAgents } from '../trust/executables.ts';
import type { PlannedSteps } from './planned-steps.ts';

/** What a run of planning would draft, by whom and within which limits (R-START-8). */
export function planningAhead(
  { spec, loaded }: SpecPlace,
  { steps, planning }: PlannedSteps,
  { policyFor, chosen }: Pick<FactsAtStart, 'policyFor'> & { readonly chosen: ChosenAgents },
): PlanningAhead {
  const policy = planningPolicy(policyFor(stepPlan(steps, spec), {}));
  const role = (name: Role): RoleAhead => ({ agent: chosen[name]?.name ?? '', ...limitsOf(loaded.settings, name) });
  return { planning, steps, policy, role };
}
