import type { Role } from '../agent/role.ts';
import type { PlanningFacts } from '../planning/planning-facts.ts';
import type { ListedStep } from '../planning/step-plan.ts';
import type { Policy } from '../policy.ts';
import { attemptsMax } from '../run/retry.ts';
import { areDraftsReviewed } from '../run/review.ts';
import { oneLine } from '../text/sanitise.ts';
import { counted, durationText } from '../text/words.ts';

const NAME_CHARS_MAX = 100;

/** Who works in a role, and how long one attempt may take and be silent. */
export interface RoleAhead {
  readonly agent: string;
  readonly taskTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** A run of planning that has not begun. */
export interface PlanningAhead {
  readonly planning: Pick<PlanningFacts, 'spec' | 'isQuick' | 'reviewsFirst'>;
  readonly steps: readonly ListedStep[];
  readonly policy: Policy;
  readonly role: (role: Role) => RoleAhead;
}

/** The steps of a run of planning, with the agents that it would start and their limits, a line each (R-START-8). */
export function stepsAhead(ahead: PlanningAhead): readonly string[] {
  const { planning, steps, policy } = ahead;
  const open = steps.filter(({ step, isDone }) => !isDone && step.topic === undefined).length;
  return [
    `${planning.spec}: ${counted(open, 'document')} to draft; ${allLimits(policy).join(', ')}.`,
    ...steps.flatMap((listed) => stepAhead(listed, ahead)),
  ];
}

function stepAhead({ step, isDone }: ListedStep, ahead: PlanningAhead): readonly string[] {
  if (isDone) return [`  ${step.file}: kept as it is`];
  const { policy, planning } = ahead;
  const attempts = `at most ${counted(attemptsMax(policy, step), 'attempt')}`;
  return [
    `  ${step.file}: ${roleText(step.role, ahead)}, ${attempts}`,
    ...(step.topic === undefined && areDraftsReviewed({ policy, planning })
      ? [`    ${roleText('reviewer', ahead)}, at most ${counted(policy.maxReviewRounds, 'round')}`]
      : []),
    ...(step.gate ? ['    then it waits for your approval'] : []),
  ];
}

function roleText(role: Role, ahead: PlanningAhead): string {
  const { agent, taskTimeoutMs, idleTimeoutMs } = ahead.role(role);
  const time = `${durationText(taskTimeoutMs)} an attempt, ${durationText(idleTimeoutMs)} without output`;
  return `${role} (${oneLine(agent, NAME_CHARS_MAX)}; ${time})`;
}

function allLimits({ maxGlobalIterations, maxCostUsd, maxTokens, maxTimeMs }: Policy): readonly string[] {
  return [
    `at most ${counted(maxGlobalIterations, 'attempt')} in all`,
    ...(maxCostUsd === undefined ? [] : [`${maxCostUsd} USD`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxTimeMs === undefined ? [] : [durationText(maxTimeMs)]),
  ];
}
