import { tmpdir } from 'node:os';
import type { Ability, SignedIn } from '../../adapters/agent/agent-kind.ts';
import { lookForProgram } from '../../adapters/agent/find-program.ts';
import { type ProbedAgent, probeAgent } from '../../adapters/agent/probe.ts';
import { allowedEnvironment, PROXY_VARIABLES } from '../../adapters/process/environment.ts';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import type { Processes } from '../../ports/process.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { type AgentChoice, agentSources, knownAgents, namedAgents } from './agent-choice.ts';

/** An agent that can be chosen, and what is known of it (R-AGT-1). */
export interface AgentStatus {
  readonly name: string;
  readonly found: boolean;
  readonly version: string | null;
  readonly signedIn: SignedIn;
  readonly can: readonly Ability[];
  /** What of that was never tried out; `all` for a program that was never run. */
  readonly untested: readonly (Ability | 'all')[];
}

/** The agents that can be chosen: those with an adapter, those of the settings, and of the others those that are found. */
export async function surveyAgents(host: Pick<Host, 'env'>, place: Place): Promise<readonly AgentStatus[]> {
  const sources = agentSources(place);
  const named = namedAgents(sources);
  const known = knownAgents(sources).filter(({ name }) => named.every((one) => one.name !== name));
  const processes = nodeProcesses({ runMark: newMark(), containment: 'marker' });
  try {
    const all = await Promise.all([...known, ...named].map((agent) => statusOf(agent, { env: host.env, processes })));
    const isListed = ({ name, found }: AgentStatus) =>
      found || known.every((one) => one.name !== name || !one.isPreset);
    return all.filter(isListed);
  } finally {
    await processes.close();
  }
}

async function statusOf(agent: AgentChoice, asking: Asking): Promise<AgentStatus> {
  const { can, untested } = agent.kind.about;
  const probed = await lookAtAgent(agent, asking);
  const { version = null, signedIn = 'unknown' } = probed?.is === 'asked' ? probed : {};
  return { name: agent.name, found: probed !== undefined, version, signedIn, can, untested };
}

/** With what agents are asked. */
export interface Asking {
  readonly env: Host['env'];
  readonly processes: Processes;
}

/** A program that was found: what it says about itself, where it is one that can be asked. */
export type LookedAt = ({ readonly is: 'asked' } & ProbedAgent) | { readonly is: 'there' };

/**
 * Looks for an agent's program, and asks it about itself if it is a known one: what any other does when it is asked no one
 * knows. It is asked in no repository and with nothing that settings add, so nothing of a repository has a say in it.
 * `undefined` if it is not found.
 */
export async function lookAtAgent(agent: AgentChoice, { env, processes }: Asking): Promise<LookedAt | undefined> {
  const { kind, program, base } = agent;
  const found = lookForProgram(program, { path: env.PATH ?? '', cwd: base });
  if (found.is !== 'there') return undefined;
  if (kind.program !== program) return { is: 'there' };
  const { passed } = kind.variables(env);
  const environment = allowedEnvironment(env, { pass: [...PROXY_VARIABLES, ...passed] });
  const question = { processes, env: environment, cwd: tmpdir() };
  return { is: 'asked', ...(await probeAgent(found.path, kind.about, question)) };
}
