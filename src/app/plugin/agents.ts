import { join } from 'node:path';
import { UserError } from '../../core/user-error.ts';
import { homeFolder } from '../home-folder.ts';
import type { Environment, Host } from '../host.ts';
import { findPlace, inRepository } from '../place.ts';
import { chosenFolder, claudeFolder } from './claude-folder.ts';

/** The agents that there is a plugin for. */
export type PluginAgent = 'claude' | 'codex';

/** For whom a plugin is installed: the user in all projects, or everyone in one project. */
export type PluginScope = 'user' | 'project';

export const AGENT_NAMES: Readonly<Record<PluginAgent, string>> = { claude: 'Claude Code', codex: 'Codex' };

/** Where the files of a plugin go. Each path is below its `anchor`, at which links are followed, and none below it is. */
export interface PluginPlace {
  readonly agent: PluginAgent;
  readonly scope: PluginScope;
  readonly pages: AnchoredPath;
  /** What was installed. It lies with the agent's own files, and goes with the plugin. */
  readonly record: AnchoredPath;
  /** The hooks file that the agent shares among all. */
  readonly hooks?: AnchoredPath;
}

export interface AnchoredPath {
  readonly anchor: string;
  /** Relative to `anchor`, with `/`. */
  readonly path: string;
}

/** The place of an agent's plugin. Throws `UserError` without a home folder, or for a project where there is no repository. */
export async function pluginPlace(agent: PluginAgent, scope: PluginScope, host: Host): Promise<PluginPlace> {
  if (scope === 'user') return userPlace(agent, host.env);
  const { root } = inRepository(await findPlace(host), host);
  const at = (path: string) => ({ anchor: root, path });
  return agent === 'claude'
    ? {
        agent,
        scope,
        pages: at('.claude/skills/specloop'),
        record: at('.claude/skills/specloop/.specloop-plugin.json'),
      }
    : {
        agent,
        scope,
        pages: at('.agents/skills'),
        record: at('.codex/specloop-plugin.json'),
        hooks: at('.codex/hooks.json'),
      };
}

/** Claude Code reads each folder in `skills` that has a plugin's manifest as a plugin. Codex reads skills and hooks only apart. */
function userPlace(agent: PluginAgent, env: Environment): PluginPlace {
  if (agent === 'claude') {
    const anchor = needed(claudeFolder(env), 'CLAUDE_CONFIG_DIR');
    const at = (path: string) => ({ anchor, path });
    return { agent, scope: 'user', pages: at('skills/specloop'), record: at('skills/specloop/.specloop-plugin.json') };
  }
  const home = homeFolder(env);
  const anchor = needed(chosenFolder(env.CODEX_HOME) ?? (home && join(home, '.codex')), 'CODEX_HOME');
  return {
    agent,
    scope: 'user',
    pages: { anchor: join(needed(home, 'HOME'), '.agents'), path: 'skills' },
    record: { anchor, path: 'specloop-plugin.json' },
    hooks: { anchor, path: 'hooks.json' },
  };
}

function needed(folder: string | undefined, variable: string): string {
  if (folder !== undefined) return folder;
  throw new UserError(
    'HOME is not set, and this user has no home folder.',
    `Set HOME or ${variable} to a folder that you can write, then run the command again.`,
  );
}
