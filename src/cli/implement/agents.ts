import { CLAUDE_CODE_VARIABLES, claudeCodeAgent } from '../../adapters/agent/claude-code/claude-code.ts';
import { commandAgent } from '../../adapters/agent/command.ts';
import { findProgram } from '../../adapters/agent/find-program.ts';
import { allowedEnvironment } from '../../adapters/process/environment.ts';
import type { Settings } from '../../config/schema.ts';
import type { Role } from '../../core/run/role.ts';
import { UserError } from '../../core/user-error.ts';
import type { Agent } from '../../ports/agent.ts';
import type { Processes } from '../../ports/process.ts';

/** The agents that have an adapter of their own, with the program that each needs. */
export const NAMED = { claude: 'claude' } as const;

/** Which agent a role has: one with an adapter, or any program. */
export type AgentChoice =
  | { readonly kind: 'named'; readonly name: keyof typeof NAMED; readonly model?: string }
  | { readonly kind: 'command'; readonly argv: readonly [string, ...string[]] };

const ROLES: readonly Role[] = ['executor', 'verifier', 'reviewer'];

/** The agent of each role (R-DEL-2). Throws `UserError` if none is chosen or the name is not known. */
export function chooseAgents(settings: Settings): Readonly<Record<Role, AgentChoice>> {
  const choose = (role: Role): AgentChoice => {
    const own = settings.roles?.[role];
    const command = own?.command ?? (own?.agent === undefined ? settings.agentCommand : undefined);
    if (command !== undefined) return { kind: 'command', argv: command };
    const name = own?.agent ?? settings.agent;
    const model = own?.model ?? settings.model;
    if (name === undefined) {
      throw new UserError(
        'No agent was chosen.',
        `Pass --agent ${Object.keys(NAMED).join('|')}, or --agent-command with a program that reads a prompt on stdin.`,
      );
    }
    if (!isNamed(name)) {
      throw new UserError(
        `There is no agent "${name}".`,
        `Known are: ${Object.keys(NAMED).join(', ')}. Any other program works with --agent-command.`,
      );
    }
    return { kind: 'named', name, ...(model === undefined ? {} : { model }) };
  };
  return { executor: choose('executor'), verifier: choose('verifier'), reviewer: choose('reviewer') };
}

function isNamed(name: string): name is keyof typeof NAMED {
  return Object.hasOwn(NAMED, name);
}

/** How the agents are called, for people. */
export function agentNames(choices: Readonly<Record<Role, AgentChoice>>): string {
  const names = ROLES.map((role) => nameOf(choices[role]));
  return new Set(names).size === 1
    ? (names[0] ?? '')
    : ROLES.map((role, index) => `${role}: ${names[index]}`).join(', ');
}

function nameOf(choice: AgentChoice): string {
  return choice.kind === 'command' ? choice.argv.join(' ') : choice.name;
}

/** Refuses a run whose agent is not there (R-START-1, R-DEL-7). Throws `UserError` that names it. */
export async function requirePrograms(
  choices: Readonly<Record<Role, AgentChoice>>,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  for (const program of new Set(Object.values(choices).map(programOf))) {
    if ((await findProgram(program, { path: env.PATH ?? '', cwd })) === undefined) {
      throw new UserError(
        `The agent "${program}" was not found.`,
        'Install it, or check its name and PATH; "specloop doctor" tells what it sees.',
      );
    }
  }
}

function programOf(choice: AgentChoice): string {
  return choice.kind === 'command' ? choice.argv[0] : NAMED[choice.name];
}

/** Makes the agents of one run, each role's once. */
export function makeAgents(
  choices: Readonly<Record<Role, AgentChoice>>,
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
  const make = (choice: AgentChoice): Agent => {
    const allowed = (own: readonly string[]) => allowedEnvironment(env, { pass: [...settings.passEnv, ...own] });
    if (choice.kind === 'command') return commandAgent({ argv: choice.argv, processes, env: allowed([]) });
    const model = choice.model === undefined ? {} : { model: choice.model };
    return claudeCodeAgent({
      program: NAMED[choice.name],
      processes,
      env: allowed(CLAUDE_CODE_VARIABLES),
      newId,
      ...model,
    });
  };
  const made = { executor: make(choices.executor), verifier: make(choices.verifier), reviewer: make(choices.reviewer) };
  return (role) => made[role];
}
