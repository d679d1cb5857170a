import { delimiter, dirname, resolve } from 'node:path';
import type { AgentKind } from '../adapters/agent/agent-kind.ts';
import { AGENT_KINDS, agentKind } from '../adapters/agent/agent-kinds.ts';
import { commandAgent } from '../adapters/agent/command.ts';
import { type FoundProgram, lookForProgram } from '../adapters/agent/find-program.ts';
import { tellingWithheld } from '../adapters/agent/withheld.ts';
import { allowedEnvironment, PROXY_VARIABLES, withheldNames } from '../adapters/process/environment.ts';
import type { Argv } from '../config/kinds.ts';
import type { LoadedSettings } from '../config/load.ts';
import type { Settings } from '../config/schema.ts';
import type { Role } from '../core/agent/role.ts';
import { commandLine } from '../core/text/command-line.ts';
import { oneLine } from '../core/text/sanitise.ts';
import { UserError } from '../core/user-error.ts';
import { READ_BY_AGENTS } from '../core/verify/not-passed.ts';
import type { Agent } from '../ports/agent.ts';
import type { Processes } from '../ports/process.ts';
import type { Place } from './place.ts';

const NAME_CHARS_MAX = 200;

/** Which agent a role has: one with an adapter, or any program. */
export type AgentChoice =
  | { readonly agent: AgentKind; readonly model?: string }
  | {
      readonly agent: 'command';
      readonly argv: Argv;
      /** Absolute path of the folder that a relative program is relative to. */
      readonly base: string;
    };

/** An agent whose program was found. */
export type FoundAgent = AgentChoice & {
  /** Absolute path where its folder has a say in it, else the name. */
  readonly program: string;
};

/** The agents of a run, and what each is made from. */
export interface AgentSources {
  readonly settings: Settings;
  readonly origins: LoadedSettings['origins'];
  /** The folder that the command was given in, and the root of its repository: a program that a file names is relative to that file. */
  readonly cwd: string;
  readonly root: string;
}

const ROLES: readonly Role[] = ['executor', 'verifier', 'reviewer'];

/** What the agents of a command are chosen from, by the place that it was given in. */
export function agentSources({ loaded, roots }: Place): AgentSources {
  return { settings: loaded.settings, origins: loaded.origins, cwd: roots.cwd, root: roots.repository };
}

/** The agent of each role (R-DEL-2). Throws `UserError` if none is chosen or the name is not known. */
export function chooseAgents(sources: AgentSources): Readonly<Record<Role, AgentChoice>> {
  const { settings } = sources;
  const choose = (role: Role): AgentChoice => {
    const own = settings.roles?.[role];
    if (own?.command !== undefined)
      return { agent: 'command', argv: own.command, base: programFolder(`roles.${role}.command`, sources) };
    if (own?.agent === undefined && settings.agentCommand !== undefined)
      return { agent: 'command', argv: settings.agentCommand, base: programFolder('agentCommand', sources) };
    const name = own?.agent ?? settings.agent;
    const model = own?.model ?? settings.model;
    if (name === undefined) {
      throw new UserError(
        'No agent is set.',
        `Pass --agent ${kindNames('|')}, or --agent-command with a program that reads a prompt on stdin.`,
      );
    }
    const agent = agentKind(name);
    if (agent === undefined) {
      throw new UserError(
        `There is no agent "${name}".`,
        `Known agents: ${kindNames(', ')}. Any other program works with --agent-command.`,
      );
    }
    return { agent, ...(model === undefined ? {} : { model }) };
  };
  return { executor: choose('executor'), verifier: choose('verifier'), reviewer: choose('reviewer') };
}

function kindNames(separator: string): string {
  return AGENT_KINDS.map(({ name }) => name).join(separator);
}

/** How the agents are called, for people. */
export function agentNames(choices: Readonly<Record<Role, AgentChoice>>): string {
  const names = ROLES.map((role) => nameOf(choices[role]));
  return new Set(names).size === 1
    ? (names[0] ?? '')
    : ROLES.map((role, index) => `${role}: ${names[index]}`).join(', ');
}

function nameOf(choice: AgentChoice): string {
  return choice.agent === 'command' ? choice.argv.join(' ') : choice.agent.name;
}

/** Absolute path of the folder that the program of this setting is relative to. */
export function programFolder(key: string, { origins, cwd, root }: AgentSources): string {
  const origin = origins.get(key);
  return origin !== undefined && 'file' in origin ? dirname(resolve(root, origin.file)) : cwd;
}

/**
 * Finds the programs once, so that each is the same wherever its agent works. Refuses a run whose agent is not there
 * (R-START-1, R-DEL-7): throws `UserError` that names it.
 */
export function findAgents(
  choices: Readonly<Record<Role, AgentChoice>>,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Readonly<Record<Role, FoundAgent>> {
  const find = (choice: AgentChoice): FoundAgent => {
    const name = programOf(choice);
    const argv = choice.agent === 'command' ? choice.argv : [name];
    const found = lookForProgram(name, { path: env.PATH ?? '', cwd: choice.agent === 'command' ? choice.base : cwd });
    const operator = argv.find((word) => SHELL_OPERATORS.has(word));
    if (found.is !== 'there' || operator !== undefined) throw noAgent(argv, found);
    const isRelative = name.includes('/') || !isOnPath(found.path, env.PATH);
    return { ...choice, program: isRelative ? found.path : name };
  };
  return { executor: find(choices.executor), verifier: find(choices.verifier), reviewer: find(choices.reviewer) };
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

function programOf(choice: AgentChoice): string {
  return choice.agent === 'command' ? choice.argv[0] : choice.agent.program;
}

/** Makes the agents of one run, each role's once. */
export function makeAgents(
  choices: Readonly<Record<Role, FoundAgent>>,
  {
    settings,
    env,
    processes,
    newId,
  }: {
    readonly settings: Settings;
    readonly env: NodeJS.ProcessEnv;
    readonly processes: Processes;
    readonly newId: () => string;
  },
): (role: Role) => Agent {
  const make = (choice: FoundAgent): Agent => {
    const pass = [...settings.passEnv, ...PROXY_VARIABLES];
    if (choice.agent === 'command') {
      const allowed = allowedEnvironment(env, { pass });
      const [, ...args] = choice.argv;
      const agent = commandAgent({ argv: [choice.program, ...args], processes, env: allowed });
      return tellingWithheld(agent, { withheld: withheldNames(env, allowed), known: READ_BY_AGENTS });
    }
    const { passed, missed } = choice.agent.variables(env);
    const allowed = allowedEnvironment(env, { pass: [...pass, ...passed] });
    const model = choice.model === undefined ? {} : { model: choice.model };
    const agent = choice.agent.make({ program: choice.program, processes, env: allowed, newId, ...model });
    return tellingWithheld(agent, { withheld: withheldNames(env, allowed), known: [{ named: /(?:)/, read: missed }] });
  };
  const made = { executor: make(choices.executor), verifier: make(choices.verifier), reviewer: make(choices.reviewer) };
  return (role) => made[role];
}
