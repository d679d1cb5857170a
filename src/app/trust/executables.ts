import type { Argv } from '../../config/kinds.ts';
import type { Settings } from '../../config/schema.ts';
import type { Role } from '../../core/agent/role.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { isMarkerCommand } from '../../core/plan/marker-command.ts';
import { planPathOf } from '../../core/spec-files.ts';
import { type AgentChoice, type AgentSources, agentSources } from '../agents/agent-choice.ts';
import { fallbackAgents } from '../agents/agents.ts';
import type { SpecPlace } from '../place.ts';
import { reproductionAfter } from '../shell/reproduction.ts';
import { findTestCommand } from '../shell/test-command.ts';
import { workdirOf } from '../shell/workdir.ts';
import { type Executable, planCommands } from './trust.ts';

/** The agents of a run by their roles; none where the work of agents is handed over. */
export type ChosenAgents = Readonly<Partial<Record<Role, AgentChoice>>>;

/** Everything that a run of this plan with these agents and the settings of its place would execute (R-SEC-1). */
export function executablesOf(plan: Plan, place: SpecPlace, agents: ChosenAgents): readonly Executable[] {
  const { spec, loaded } = place;
  const tests = findTestCommand(place, workdirOf(place));
  return [
    ...planCommands(plan, planPathOf(spec)).filter(({ command }) => !isMarkerCommand(command, tests?.command)),
    ...agentExecutables(agents, agentSources(place)),
    ...[tests ?? []].flat(),
    ...[reproductionAfter(place) ?? []].flat(),
    ...setupExecutables(loaded.settings),
  ];
}

/** The command that sets worktrees up, where there is one (R-SEC-1). */
export function setupExecutables({ worktree }: Pick<Settings, 'worktree'>): readonly Executable[] {
  const argv = worktree?.setup;
  return argv === undefined ? [] : [{ command: JSON.stringify(argv), from: 'the setting worktree.setup', argv }];
}

/**
 * The whole calls of the agents that a run has, wherever they are named, those that it falls back to included (R-SEC-1). What variables
 * of the user's they get is written as `env` takes it.
 */
export function agentExecutables(agents: ChosenAgents, sources: AgentSources): readonly Executable[] {
  const { roles } = sources.settings;
  const found = new Map<string, Executable>();
  for (const [role, agent] of Object.entries(agents)) {
    const { name, program, args } = agent;
    const argv = argvOf(agent);
    const command = JSON.stringify(argv);
    const own = roles?.[role as Role];
    const isOwn = own?.agent !== undefined || own?.command !== undefined;
    const called = name === [program, ...args].join(' ') ? '' : ` ${name}`;
    const from = `the agent${called}${isOwn ? ` of the ${role}` : ''}`;
    if (!found.has(command)) found.set(command, { command, from, argv });
  }
  return [...found.values(), ...fallbackAgents(sources).map(fallbackExecutable)];
}

function argvOf({ program, args, env }: AgentChoice): Argv {
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  return variables.length === 0 ? [program, ...args] : ['env', ...variables, program, ...args];
}

function fallbackExecutable(agent: AgentChoice): Executable {
  const argv = argvOf(agent);
  return { command: JSON.stringify(argv), from: `the fallback agent ${agent.name}`, argv };
}
