import { ROLES } from '../core/agent/role.ts';
import type { SettingsFile } from './schema.ts';

/** Settings that are ways to say one thing; the one of the strongest source counts. */
export const ALTERNATIVES: readonly (readonly string[])[] = [
  ['agent', 'agentCommand', 'agentAcp'],
  ...ROLES.map((role) => [`roles.${role}.agent`, `roles.${role}.command`]),
];

/** What is wrong with the settings of one source together: the keys it is about, and why in one sentence. */
export interface Conflict {
  readonly keys: readonly string[];
  readonly problem: string;
}

/** Checks what no setting shows by itself. */
export function conflicts(values: SettingsFile): readonly Conflict[] {
  return [
    ...ofGroup('', { agent: values.agent, agentCommand: values.agentCommand, agentAcp: values.agentAcp }, values.model),
    ...Object.entries(values.roles ?? {}).flatMap(([role, { agent, command, model } = {}]) =>
      ofGroup(`roles.${role}.`, { agent, command }, model),
    ),
    ...Object.entries(values.agents ?? {}).flatMap(([name, { agent, command, acp, model, price }]) => [
      ...ofGroup(`agents.${name}.`, { agent, command, acp }, model),
      ...((agent ?? command ?? acp) === undefined
        ? [{ keys: [`agents.${name}`], problem: 'needs one of command, acp and agent' }]
        : []),
      ...(price !== undefined && (price.input === undefined || price.output === undefined)
        ? [{ keys: [`agents.${name}.price`], problem: 'needs both input and output' }]
        : []),
    ]),
  ];
}

/** `ways`: the settings that say which program the agent is, by the names that they have in the group. */
function ofGroup(
  group: string,
  ways: Readonly<Record<string, unknown>>,
  model: string | undefined,
): readonly Conflict[] {
  const used = Object.keys(ways).filter((way) => ways[way] !== undefined);
  const command = used.find((way) => way === 'command' || way === 'agentCommand');
  const keysOf = (names: readonly string[]) => names.map((name) => `${group}${name}`);
  return [
    ...(used.length < 2
      ? []
      : [{ keys: keysOf(used), problem: `${used.length === 2 ? 'both' : 'all'} name the agent: keep one of them` }]),
    ...(command === undefined || model === undefined
      ? []
      : [
          {
            keys: keysOf(['model', command]),
            problem: 'exclude each other: a command runs as it is written, so name the model in it',
          },
        ]),
  ];
}
