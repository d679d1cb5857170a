import { dirname, resolve } from 'node:path';
import { ACP } from '../../adapters/agent/acp/acp.ts';
import type { AgentKind } from '../../adapters/agent/agent-kind.ts';
import { AGENT_KINDS } from '../../adapters/agent/agent-kinds.ts';
import { COMMAND } from '../../adapters/agent/command.ts';
import { PRESETS } from '../../adapters/agent/presets.ts';
import type { Argv } from '../../config/kinds.ts';
import type { LoadedSettings } from '../../config/load.ts';
import { nearest } from '../../config/nearest.ts';
import { originText } from '../../config/origin.ts';
import type { Settings } from '../../config/schema.ts';
import type { TokenPrice } from '../../core/agent/token-price.ts';
import { UserError } from '../../core/user-error.ts';
import type { Place } from '../place.ts';

/** An agent that was chosen: the whole call of it, as far as settings decide that. */
export interface AgentChoice {
  /** What people call it: the name it was chosen by, or its command line. */
  readonly name: string;
  readonly kind: AgentKind;
  readonly program: string;
  /** Arguments of the user's, in addition to those that its kind passes. */
  readonly args: readonly string[];
  /** Variables of the user's, in addition to those that its kind passes. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of the folder that a relative program is relative to. */
  readonly base: string;
  readonly model?: string;
  /** What its cost is estimated from if it reports none. */
  readonly price?: TokenPrice;
}

/** The agents of a command, and what each is made from. */
export interface AgentSources {
  readonly settings: Settings;
  readonly origins: LoadedSettings['origins'];
  /** The folder that the command was given in, and the root of its repository: a program that a file names is relative to that file. */
  readonly cwd: string;
  readonly root: string;
}

/** What the agents of a command are chosen from, by the place that it was given in. */
export function agentSources({ loaded, roots }: Place): AgentSources {
  return { settings: loaded.settings, origins: loaded.origins, cwd: roots.cwd, root: roots.repository };
}

/** The agent of this name: one that the settings name, else a known one. Throws `UserError` for a name that is neither (R-AGT-1). */
export function agentCalled(name: string, sources: AgentSources): AgentChoice {
  const named = namedAgents(sources);
  const agent = named.find((one) => one.name === name) ?? knownAgents(sources).find((one) => one.name === name);
  if (agent !== undefined) return agent;
  throw unknownAgent(`There is no agent "${name}".`, name, [...knownNames(), ...named.map((one) => one.name)]);
}

/** A program that a setting writes out, as an agent. */
export function writtenAgent(kind: 'command' | 'acp', argv: Argv, base: string): AgentChoice {
  const [program, ...args] = argv;
  return { name: argv.join(' '), kind: kind === 'acp' ? ACP : COMMAND, program, args, env: {}, base };
}

/** The agents that the settings name. Throws `UserError` for one that cannot be (R-AGT-1). */
export function namedAgents(sources: AgentSources): readonly AgentChoice[] {
  return Object.keys(sources.settings.agents ?? {}).map((name) => namedAgent(name, sources));
}

/** The names of the known agents, in the order in which they are listed to people. */
export function knownNames(): readonly string[] {
  return [...AGENT_KINDS, ...PRESETS.map(({ kind }) => kind)].map(({ name }) => name);
}

/** The known agents: those with an adapter of their own, then the others. */
export function knownAgents({
  cwd: base,
}: Pick<AgentSources, 'cwd'>): readonly (AgentChoice & { readonly isPreset: boolean })[] {
  const choice = (kind: AgentKind) => ({ name: kind.name, kind, program: kind.program, env: {}, base });
  return [
    ...AGENT_KINDS.map((kind) => ({ ...choice(kind), args: [], isPreset: false })),
    ...PRESETS.map(({ kind, args }) => ({ ...choice(kind), args, isPreset: true })),
  ];
}

/** Absolute path of the folder that the program of this setting is relative to. */
export function programFolder(key: string, { origins, cwd, root }: AgentSources): string {
  const origin = origins.get(key);
  return origin !== undefined && 'file' in origin ? dirname(resolve(root, origin.file)) : cwd;
}

function namedAgent(name: string, sources: AgentSources): AgentChoice {
  const { args = [], env = {}, model, price } = sources.settings.agents?.[name] ?? {};
  const based = basisOf(name, sources);
  const { input, output } = price ?? {};
  return {
    ...based,
    name,
    args: [...based.args, ...args],
    env,
    ...(model !== undefined && { model }),
    ...(input !== undefined && output !== undefined && { price: { input, output } }),
  };
}

/** What an entry of `agents` begins with. */
function basisOf(name: string, sources: AgentSources): AgentChoice {
  const { command, acp, agent } = sources.settings.agents?.[name] ?? {};
  const way = command === undefined ? (acp === undefined ? 'agent' : 'acp') : 'command';
  const key = `agents.${name}.${way}`;
  const origin = sources.origins.get(key);
  const where = `${origin === undefined ? '' : `${originText(origin)} `}${key}`;
  if (knownNames().includes(name) && agent !== name)
    throw new UserError(
      `${where} makes another agent of the known name "${name}".`,
      'Choose another name for this agent, and pass that with --agent.',
    );
  const argv = command ?? acp;
  if (argv !== undefined) return writtenAgent(acp === undefined ? 'command' : 'acp', argv, programFolder(key, sources));
  const known = knownAgents(sources).find((one) => one.name === agent);
  if (known !== undefined) return known;
  throw unknownAgent(`${where}: there is no known agent "${agent}".`, agent ?? '', knownNames());
}

function unknownAgent(message: string, name: string, names: readonly string[]): UserError {
  const meant = nearest(name, names);
  return new UserError(
    `${message}${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
    `Agents: ${names.join(', ')}. Any other program works with --agent-command, or with --agent-acp if it speaks the Agent Client Protocol.`,
  );
}
