import type { Processes } from '../../ports/process.ts';
import { type AgentChoice, agentSources, knownAgents } from '../agents/agent-choice.ts';
import { type LookedAt, lookAtAgent } from '../agents/agent-survey.ts';
import { chosenAgents } from '../agents/agents.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Which agents are there and start; one that the settings choose has to be (R-START-1, R-AGT-1). */
export async function checkAgents(host: Host, place: Place, processes: Processes): Promise<readonly Finding[]> {
  const sources = agentSources(place);
  const chosen = Object.values(chosenAgents(sources));
  const known = knownAgents(sources).filter(({ isPreset }) => !isPreset);
  const byProgram = new Map([...known, ...chosen].map((agent) => [agent.program, agent]));
  const findings = await Promise.all(
    [...byProgram.values()].map(async (agent) => {
      const isChosen = chosen.some(({ program }) => program === agent.program);
      return findingOf(agent, await lookAtAgent(agent, { env: host.env, processes }), isChosen);
    }),
  );
  if (findings.some(({ level }) => level === 'ok')) return findings;
  return [...findings, warn('agents', 'No agent was found.', 'Install one, or name any program with --agent-command.')];
}

function findingOf({ program, kind }: AgentChoice, looked: LookedAt | undefined, isChosen: boolean): Finding {
  const about = `agent ${program}`;
  const bad = isChosen ? fail : warn;
  if (looked === undefined) {
    const where = program.includes('/') ? 'Not found.' : 'Not found on PATH.';
    return bad(about, where, 'To use it, install it or correct its name.');
  }
  if (looked.is === 'there') return ok(about, 'Found.');
  const { version, problem = '', signedIn, isTested, worksUnattended } = looked;
  const { tested, unattended } = kind.about;
  if (version === undefined) return bad(about, problem, 'To use it, reinstall it.');
  if (worksUnattended === false)
    return bad(
      about,
      `${version} does not know the option ${unattended?.option}.`,
      `To use it, install a version from ${tested?.from} to ${tested?.to}.`,
    );
  if (signedIn === 'no')
    return warn(about, `${version}, not signed in.`, `To use it, sign in: start ${program} in a terminal.`);
  if (isTested === false)
    return warn(
      about,
      `${version}, which was not tested.`,
      `If it fails, use a version from ${tested?.from} to ${tested?.to}.`,
    );
  return ok(about, `${version}${signedIn === 'yes' ? ', signed in' : ''}.`);
}
