import type { Host } from '../host.ts';
import { AGENT_NAMES, type PluginAgent, type PluginScope } from '../plugin/agents.ts';
import { type PluginStatus, pluginStatus } from '../plugin/plugin-status.ts';
import { pluginWarnings } from '../plugin/warnings.ts';
import { type Finding, ok, warn } from './finding.ts';

const SCOPES: readonly PluginScope[] = ['user', 'project'];

/** The plugins that are installed, and whether they fit this program; nothing where there is none (R-SES-8). Throws `UserError`. */
export async function checkPlugins(host: Host, hasRepository: boolean): Promise<readonly Finding[]> {
  const scopes = SCOPES.filter((scope) => scope === 'user' || hasRepository);
  const found = await Promise.all(
    (['claude', 'codex'] as const).flatMap((agent) => scopes.map((scope) => pluginStatus(agent, scope, host))),
  );
  const installed = found.flatMap(findingsOf);
  if (installed.length === 0) return [];
  return [...installed, ...pluginWarnings(host).map(({ message, fix }) => warn('plugin', message, fix))];
}

function findingsOf(status: PluginStatus): readonly Finding[] {
  const { version, programVersion, differing, place } = status;
  if (version === undefined) return [];
  const about = `plugin of ${AGENT_NAMES[place.agent]} (${place.scope})`;
  const install = installCommand(place.agent, place.scope);
  if (version !== programVersion)
    return [
      warn(
        about,
        `Version ${version} is installed, and this program has version ${programVersion}.`,
        `Run: ${install}`,
      ),
    ];
  if (differing.length > 0)
    return [
      warn(
        about,
        `Changed since it was installed: ${differing.join(', ')}.`,
        `Nothing to do if you changed it. To restore a file, remove it, then run: ${install}`,
      ),
    ];
  return [ok(about, `Version ${version} is installed.`)];
}

function installCommand(agent: PluginAgent, scope: PluginScope): string {
  return `specloop plugin install --${agent}${scope === 'project' ? ' --scope project' : ''}`;
}
