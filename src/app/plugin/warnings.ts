import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../../adapters/agent/find-program.ts';
import type { Host } from '../host.ts';
import { enabledPlugins, isOlderPlugin } from './enabled-plugins.ts';

/** Something around the plugin that a person should know, and what to do about it. */
export interface PluginWarning {
  readonly message: string;
  readonly fix: string;
}

/** What keeps an installed plugin from working as one expects (R-SES-8). */
export function pluginWarnings({ cwd, env }: Pick<Host, 'cwd' | 'env'>): readonly PluginWarning[] {
  const older = enabledPlugins(env, rootAbove(cwd)).filter(isOlderPlugin);
  const isFound = findProgram('specloop', { path: env.PATH ?? '', cwd }) !== undefined;
  return [
    ...older.map((name) => ({
      message: `The older plugin ${name} is enabled as well. Its specs are left to it until specloop runs them.`,
      fix: 'To use only specloop, disable it with /plugin in Claude Code.',
    })),
    ...(isFound
      ? []
      : [
          {
            message: 'The program "specloop" is not on your PATH, so the commands and hooks of the plugin do nothing.',
            fix: 'Install it with "npm install --global specloop".',
          },
        ]),
  ];
}

/** The nearest folder upward that has a `.git`, found without git. */
function rootAbove(cwd: string): string | undefined {
  if (existsSync(join(cwd, '.git'))) return cwd;
  return dirname(cwd) === cwd ? undefined : rootAbove(dirname(cwd));
}
