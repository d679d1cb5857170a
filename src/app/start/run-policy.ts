import type { Plan } from '../../core/plan/data/task.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import type { RealityPoint } from '../../core/planning/reality-check.ts';
import type { Policy } from '../../core/policy.ts';
import type { StatedLimits } from '../../core/run/start/choose-policy.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { reproductionAfter } from '../shell/reproduction.ts';
import { wantsPullRequest, withPullRequest } from './pull-request.ts';
import type { Ready } from './ready.ts';

/** The policy of the run that is started: the settings, the order, and what the plan asks for. */
export function runPolicy(ready: Ready, plan: Plan, stated: StatedLimits): Policy {
  const { facts, order, place } = ready;
  const chosen = facts.policyFor(plan, stated);
  const policy = {
    ...chosen,
    ...(order.answers === undefined ? {} : { answers: order.answers }),
    ...(order.assumes && { assumes: true as const }),
    ...agentPolicy(ready),
  };
  if (ready.drafts !== undefined) {
    const { reproduction, measures } = ready.drafts;
    return { ...withReproduction(planningPolicy(policy), 'before', reproduction), measures };
  }
  return asksForTrust(
    withReproduction(
      withPullRequest(policy, place.loaded.settings, wantsPullRequest(plan, { ...order, facts })),
      'after',
      reproductionAfter(place)?.command,
    ),
    ready,
  );
}

/** The policy with the command that shows the defect of a bug fix, or without the one of an earlier start (R-BUG-1). */
function withReproduction(
  { reproduction: _earlier, ...policy }: Policy,
  when: RealityPoint,
  command: string | undefined,
): Policy {
  return command === undefined ? policy : { ...policy, reproduction: { command, when } };
}

/** The names of the agents, where there is a choice (R-AGT-3). */
function agentPolicy({ agents, fallback }: Ready): Pick<Policy, 'agents'> {
  if (agents === undefined || fallback.length === 0) return {};
  const roles = Object.fromEntries(Object.entries(agents).map(([role, { name }]) => [role, name]));
  return { agents: { roles, fallback: fallback.map(({ name }) => name) } };
}

/** Without trust for all of this start, a command that an agent adds to the plan waits for it (R-SEC-1). */
function asksForTrust(policy: Policy, { order, host: { env }, place }: Ready): Policy {
  const holdsAddedCommands = !order.trust && env.SPECLOOP_TRUST !== '1';
  return { ...policy, holdsAddedCommands, trustCommand: commandLine('specloop', 'trust', place.spec.operand) };
}
