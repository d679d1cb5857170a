import { AGENT_KINDS } from '../../adapters/agent/agent-kinds.ts';
import { agentVersion, findProgram } from '../../adapters/agent/find-program.ts';
import { allowedEnvironment } from '../../adapters/process/environment.ts';
import type { Processes } from '../../ports/process.ts';
import { agentSources } from '../agent-choice.ts';
import { chosenAgents } from '../agents.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Which agents are there and start; one that the settings choose has to be (R-START-1). */
export async function checkAgents(host: Host, place: Place, processes: Processes): Promise<readonly Finding[]> {
  const chosen = chosenPrograms(place);
  const programs = new Map([...AGENT_KINDS.map(({ program }) => [program, host.cwd] as const), ...chosen]);
  const findings = await Promise.all(
    [...programs].map(([program, cwd]) =>
      checkProgram(program, { host: { ...host, cwd }, processes, isChosen: chosen.has(program) }),
    ),
  );
  if (findings.some(({ level }) => level === 'ok')) return findings;
  return [...findings, warn('agents', 'No agent was found.', 'Install one, or name any program with --agent-command.')];
}

/** The programs that the settings choose, and the folder that each is relative to. */
function chosenPrograms(place: Place): ReadonlyMap<string, string> {
  const chosen = Object.values(chosenAgents(agentSources(place)));
  return new Map(chosen.map(({ program, base }) => [program, base]));
}

interface Question {
  readonly host: Host;
  readonly processes: Processes;
  readonly isChosen: boolean;
}

async function checkProgram(program: string, { host, processes, isChosen }: Question): Promise<Finding> {
  const { cwd, env } = host;
  const about = `agent ${program}`;
  const path = findProgram(program, { path: env.PATH ?? '', cwd });
  const bad = isChosen ? fail : warn;
  if (path === undefined)
    return bad(
      about,
      program.includes('/') ? 'Not found.' : 'Not found on PATH.',
      'To use it, install it or correct its name.',
    );
  const isNamed = AGENT_KINDS.some((kind) => kind.program === program);
  if (!isNamed) return ok(about, `${path}.`); // What any other program does when it is asked for its version no one knows.
  const asked = await agentVersion(path, { processes, env: allowedEnvironment(env, { pass: [] }), cwd });
  return asked.how === 'told'
    ? ok(about, `${asked.version}, at ${path}.`)
    : bad(about, asked.problem, 'To use it, reinstall it.');
}
