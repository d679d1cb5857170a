import type { SettingsFile } from './schema.ts';

/** Settings that are two ways to say one thing; the one of the stronger source counts. */
export const ALTERNATIVES: readonly (readonly [named: string, command: string])[] = [
  ['agent', 'agentCommand'],
  ['roles.executor.agent', 'roles.executor.command'],
  ['roles.verifier.agent', 'roles.verifier.command'],
  ['roles.reviewer.agent', 'roles.reviewer.command'],
];

/** What is wrong with the settings of one source together: the keys it is about, and why in one sentence. */
export interface Conflict {
  readonly keys: readonly string[];
  readonly problem: string;
}

/** Checks what no setting shows by itself. */
export function conflicts(values: SettingsFile): readonly Conflict[] {
  const { executor, verifier, reviewer } = values.roles ?? {};
  return [
    ...ofAgent('', { agent: values.agent, command: values.agentCommand, model: values.model }),
    ...ofAgent('roles.executor.', executor ?? {}),
    ...ofAgent('roles.verifier.', verifier ?? {}),
    ...ofAgent('roles.reviewer.', reviewer ?? {}),
  ];
}

interface AgentSettings {
  readonly agent?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly model?: string | undefined;
}

function ofAgent(group: string, { agent, command, model }: AgentSettings): readonly Conflict[] {
  if (command === undefined) return [];
  const key = group === '' ? 'agentCommand' : `${group}command`;
  const conflict = (other: string, problem: string): Conflict => ({ keys: [`${group}${other}`, key], problem });
  return [
    ...(agent === undefined ? [] : [conflict('agent', 'both name the agent: keep one of them')]),
    ...(model === undefined
      ? []
      : [conflict('model', 'exclude each other: a command runs as it is written, so name the model in it')]),
  ];
}
