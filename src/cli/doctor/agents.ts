import { agentVersion, findProgram } from '../../adapters/agent/find-program.ts';
import { allowedEnvironment } from '../../adapters/process/environment.ts';
import type { Settings } from '../../config/schema.ts';
import type { Processes } from '../../ports/process.ts';
import type { Surroundings } from '../command.ts';
import { NAMED } from '../implement/agents.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Which agents are there and start; one that the settings choose has to be (R-START-1). */
export async function checkAgents(
  surroundings: Surroundings,
  settings: Settings,
  processes: Processes,
): Promise<readonly Finding[]> {
  const chosen = chosenPrograms(settings);
  const programs = new Set([...Object.values(NAMED), ...chosen]);
  const findings = await Promise.all(
    [...programs].map((program) =>
      checkProgram(program, { surroundings, processes, isChosen: chosen.includes(program) }),
    ),
  );
  if (findings.some(({ level }) => level === 'ok')) return findings;
  return [...findings, warn('agents', 'No agent was found.', 'Install one, or name any program with --agent-command.')];
}

function chosenPrograms({ agent, agentCommand, roles }: Settings): readonly string[] {
  const own = Object.values(roles ?? {});
  const names = [agent, ...own.map((role) => role?.agent)].flatMap((name) =>
    name !== undefined && name in NAMED ? [NAMED[name as keyof typeof NAMED]] : [],
  );
  const commands = [agentCommand, ...own.map((role) => role?.command)].flatMap((argv) =>
    argv === undefined ? [] : [argv[0]],
  );
  return [...names, ...commands];
}

interface Question {
  readonly surroundings: Surroundings;
  readonly processes: Processes;
  readonly isChosen: boolean;
}

async function checkProgram(program: string, { surroundings, processes, isChosen }: Question): Promise<Finding> {
  const { cwd, env } = surroundings;
  const about = `agent ${program}`;
  const path = await findProgram(program, { path: env.PATH ?? '', cwd });
  const bad = isChosen ? fail : warn;
  if (path === undefined)
    return bad(about, 'It is not there.', `Install it or correct its name, if you want to use it.`);
  const isNamed = Object.values(NAMED).some((named) => named === program);
  if (!isNamed) return ok(about, `${path}.`); // What any other program does when it is asked for its version nobody knows.
  const asked = await agentVersion(path, { processes, env: allowedEnvironment(env, { pass: [] }), cwd });
  return asked.how === 'told'
    ? ok(about, `${asked.version}, at ${path}.`)
    : bad(about, asked.problem, 'Install it anew, if you want to use it.');
}
