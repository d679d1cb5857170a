import { randomBytes } from 'node:crypto';
import { delimiter, dirname } from 'node:path';
import { ACP } from '../../adapters/agent/acp/acp.ts';
import { COMMAND } from '../../adapters/agent/command.ts';
import { type FoundProgram, lookForProgram } from '../../adapters/agent/find-program.ts';
import { priceAgent } from '../../adapters/agent/price-agent.ts';
import { tellingWithheld } from '../../adapters/agent/withheld.ts';
import { offerTools } from '../../adapters/mcp/offer-tools.ts';
import { serverProgram } from '../../adapters/mcp/server-program.ts';
import { allowedEnvironment, PROXY_VARIABLES, withheldNames } from '../../adapters/process/environment.ts';
import { temporaryFolder } from '../../adapters/process/temporary-folder.ts';
import { isOfCommand } from '../../config/origin.ts';
import type { Settings } from '../../config/schema.ts';
import { ROLES, type Role, WORK_ROLES } from '../../core/agent/role.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { oneLine } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Processes } from '../../ports/process.ts';
import {
  type AgentChoice,
  type AgentSources,
  agentCalled,
  knownNames,
  programFolder,
  writtenAgent,
} from './agent-choice.ts';

const NAME_CHARS_MAX = 200;

/** An agent whose program was found: `program` is its absolute path where its folder has a say in it, else its name. */
export type FoundAgent = AgentChoice;

/** Agents by role: those of the roles that a run needs. */
export type ByRole<Choice> = Readonly<Partial<Record<Role, Choice>>>;

/** The agent of each of these roles (R-DEL-2). Throws `UserError` if none is chosen or the name is not known. */
export function chooseAgents(sources: AgentSources, roles: readonly Role[] = WORK_ROLES): ByRole<AgentChoice> {
  const choose = (role: Role): AgentChoice => {
    const agent = agentOf(role, sources);
    if (agent !== undefined) return agent;
    throw new UserError(
      'No agent is set.',
      `Pass --agent ${knownNames().join('|')}, or --agent-command with a program that reads a prompt on stdin.`,
    );
  };
  return Object.fromEntries(roles.map((role) => [role, choose(role)]));
}

/** The agents of the roles that have one. Throws `UserError` for a name that is not known. */
export function chosenAgents(sources: AgentSources): ByRole<AgentChoice> {
  const chosen = ROLES.flatMap((role) => {
    const agent = agentOf(role, sources);
    return agent === undefined ? [] : [[role, agent] as const];
  });
  return Object.fromEntries(chosen);
}

/** The agents that go on when another is at a usage limit (R-AGT-3). Throws `UserError` for a name that is not known. */
export function fallbackAgents(sources: AgentSources): readonly AgentChoice[] {
  return (sources.settings.fallback ?? []).map((name) => agentCalled(name, sources));
}

/** The agent of a role: its own, else the common one; `undefined` if there is neither. Throws `UserError`. */
function agentOf(role: Role, sources: AgentSources): AgentChoice | undefined {
  const own = sources.settings.roles?.[role] ?? {};
  const common = commonAgent(sources);
  const agent = own.command
    ? writtenAgent('command', own.command, programFolder(`roles.${role}.command`, sources))
    : own.agent === undefined
      ? common
      : agentCalled(own.agent, sources);
  if (agent === undefined || own.model === undefined) return withCommonModel(agent, common, sources);
  if (agent.kind.about.can.includes('model')) return { ...agent, model: own.model };
  throw new UserError(
    `roles.${role}.model has no effect: the agent "${oneLine(agent.name, NAME_CHARS_MAX)}" is a command and runs as it is written.`,
    'Name the model in its arguments, and remove the setting.',
  );
}

function commonAgent(sources: AgentSources): AgentChoice | undefined {
  const { agent, agentCommand, agentAcp, model } = sources.settings;
  if (agentCommand) return writtenAgent('command', agentCommand, programFolder('agentCommand', sources));
  if (agentAcp) return withModel(writtenAgent('acp', agentAcp, programFolder('agentAcp', sources)), model);
  if (agent === undefined) return undefined;
  const called = agentCalled(agent, sources);
  const isAsked = isOfCommand(sources.origins.get('model'));
  return called.model === undefined || isAsked ? withModel(called, model) : called;
}

/** The common model is one of the common agent's kind: it means nothing to others. One that names its own model keeps it. */
function withCommonModel(
  agent: AgentChoice | undefined,
  common: AgentChoice | undefined,
  { settings: { model } }: AgentSources,
): AgentChoice | undefined {
  const isOfItsKind = common === undefined || common.kind === agent?.kind;
  return agent === undefined || agent.model !== undefined || !isOfItsKind ? agent : withModel(agent, model);
}

function withModel(agent: AgentChoice, model: string | undefined): AgentChoice {
  return model === undefined ? agent : { ...agent, model };
}

/** How the agents are called, for people. */
export function agentNames(choices: ByRole<AgentChoice>): string {
  const named = Object.entries(choices).map(([role, { name }]) => ({ role, name }));
  return new Set(named.map(({ name }) => name)).size === 1
    ? (named[0]?.name ?? '')
    : named.map(({ role, name }) => `${role}: ${name}`).join(', ');
}

/**
 * Finds the programs once, so that each is the same wherever its agent works. Refuses a run whose agent is not there
 * (R-START-1, R-DEL-7): throws `UserError` that names it.
 */
export function findAgents(
  choices: ByRole<AgentChoice>,
  host: { readonly env: NodeJS.ProcessEnv },
): ByRole<FoundAgent> {
  return mapped(choices, (choice) => findAgent(choice, host));
}

function mapped<From, To>(byRole: ByRole<From>, make: (one: From) => To): ByRole<To> {
  return Object.fromEntries(Object.entries(byRole).map(([role, one]) => [role, make(one)]));
}

/** Finds the program of one agent. Throws as `findAgents` does. */
export function findAgent(choice: AgentChoice, { env }: { readonly env: NodeJS.ProcessEnv }): FoundAgent {
  const { program, args, base } = choice;
  const found = lookForProgram(program, { path: env.PATH ?? '', cwd: base });
  const isWritten = choice.kind === COMMAND || choice.kind === ACP;
  const isForShell = isWritten && [program, ...args].some((word) => SHELL_OPERATORS.has(word));
  if (found.is !== 'there' || isForShell) throw noAgent([program, ...args], found);
  const isRelative = program.includes('/') || !isOnPath(found.path, env.PATH);
  return { ...choice, program: isRelative ? found.path : program };
}

/** Whether a name alone finds it from every folder. */
function isOnPath(program: string, path = ''): boolean {
  return path.split(delimiter).includes(dirname(program));
}

/** Words that only a shell understands, and that no program is given on purpose. */
const SHELL_OPERATORS = new Set(['|', '||', '&&', ';', '&', '>', '>>', '<', '2>&1']);
const OF_A_SHELL = /^~|^\w+=|[;|&<>$]/;

function noAgent(argv: readonly string[], found: FoundProgram): UserError {
  const name = oneLine(argv[0] ?? '', NAME_CHARS_MAX);
  if (argv.some((word) => SHELL_OPERATORS.has(word)) || OF_A_SHELL.test(argv[0] ?? ''))
    return new UserError(
      found.is === 'there' ? `The agent's command is written for a shell.` : `The agent "${name}" was not found.`,
      `specloop runs it without a shell. To use one, write ${JSON.stringify(['sh', '-c', argv.join(' ')])}.`,
    );
  switch (found.is) {
    case 'folder':
      return new UserError(`The agent "${name}" is a folder.`, 'Name the program in it.');
    case 'not-executable':
      return new UserError(
        `The agent "${name}" may not be executed.`,
        `Make it executable: ${commandLine('chmod', '+x', found.path)}.`,
      );
    default:
      return new UserError(
        `The agent "${name}" was not found.`,
        'Install it, or check its name and PATH; "specloop doctor" shows which agents it finds.',
      );
  }
}

/** What the agents of a run have in common. */
export interface AgentMaking {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly processes: Processes;
  readonly newId: () => string;
}

/** Makes the agents of one run, each once: by role, and by name where others go on for one at a usage limit. */
export function makeAgents(
  agents: ByRole<FoundAgent>,
  fallback: readonly FoundAgent[],
  making: AgentMaking,
): (role: Role, name?: string) => Agent {
  const made = mapped(agents, (choice) => makeAgent(choice, making));
  const others = new Map(fallback.map((choice) => [choice.name, makeAgent(choice, making)]));
  return (role, name) => {
    const other = name === undefined || name === agents[role]?.name ? undefined : others.get(name);
    const agent = other ?? made[role];
    if (agent === undefined) throw new Error(`The run has no agent for the role ${role}.`);
    return agent;
  };
}

/** Makes one agent of a run. */
function makeAgent(choice: FoundAgent, { settings, env, processes, newId }: AgentMaking): Agent {
  const { kind, program, args, model, price } = choice;
  const { passed, missed } = kind.variables(env);
  const allowed = allowedEnvironment(env, { pass: [...settings.passEnv, ...PROXY_VARIABLES, ...passed] });
  const own = { ...allowed, ...choice.env };
  const agent = kind.make({ program, args, processes, env: own, newId, ...(model !== undefined && { model }) });
  const known = kind.readers ?? [{ named: /(?:)/, read: missed }];
  const telling = tellingWithheld(agent, { withheld: withheldNames(env, own), known });
  const priced = price === undefined ? telling : priceAgent(telling, price);
  const offer = { ...serverProgram(), makeFolder: temporaryFolder, newToken: () => randomBytes(32).toString('hex') };
  return kind.about.can.includes('tools') ? offerTools(priced, offer) : priced;
}
