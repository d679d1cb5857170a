import type { Plan } from '../../core/plan/task.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import type { Policy } from '../../core/policy.ts';
import type { StatedLimits } from '../../core/run/choose-policy.ts';
import { commandLine } from '../../core/text/command-line.ts';
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
  if (ready.drafts !== undefined) return planningPolicy(policy);
  return asksForTrust(
    withPullRequest(policy, place.loaded.settings, wantsPullRequest(plan, { ...order, facts })),
    ready,
  );
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
