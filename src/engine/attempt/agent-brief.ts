import type { AgentEvent } from '../../core/agent/agent-event.ts';
import type { Role } from '../../core/agent/role.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { Brief } from '../../ports/agent.ts';
import { ownProgressFile, type World, workFolder } from '../lane/world.ts';

/** Time as the role has it, and what is left of the budget, for agents that can keep to one (R-DEL-8). */
export function attemptLimits({ policy, spent }: RunState, { limitsFor }: World, role: Role): Brief['limits'] {
  const { taskTimeoutMs, idleTimeoutMs } = limitsFor(role);
  const left = policy.maxCostUsd === undefined ? {} : { costUsdMax: Math.max(0.01, policy.maxCostUsd - spent.costUsd) };
  return { wallMs: taskTimeoutMs, idleMs: idleTimeoutMs, ...left };
}

/**
 * Shows what the agent of a task does, without secrets. Files below the folder that it works in are shown by
 * their path in there.
 */
export function showing(world: World, place: World, key: string): (event: AgentEvent) => void {
  const folder = `${workFolder(place)}/`;
  const shown = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return world.redact(name === 'target' ? value.replaceAll(folder, '') : value);
  };
  return (event) => {
    const fields = Object.entries(event).map(([name, value]) => [name, shown(name, value)]);
    world.onAgentEvent(key, Object.fromEntries(fields));
  };
}

/** What its environment tells an agent of the attempt (R-API-2). */
export function briefVariables(
  place: World,
  { key, role, attempt }: { readonly key: string; readonly role: Role; readonly attempt: number },
): Readonly<Record<string, string>> {
  const { spec, plan } = place;
  const progressFile = ownProgressFile(place);
  const { id, index } = plan.task(key);
  return {
    SPECLOOP_SPEC: spec.name,
    SPECLOOP_SPEC_DIR: spec.dir,
    SPECLOOP_ROLE: role,
    SPECLOOP_TASK_ID: id,
    SPECLOOP_TASK_INDEX: String(index),
    SPECLOOP_ATTEMPT: String(attempt),
    SPECLOOP_WORKSPACE: workFolder(place),
    ...(progressFile === undefined ? {} : { SPECLOOP_PROGRESS_FILE: `${spec.dir}/${progressFile}` }),
  };
}
