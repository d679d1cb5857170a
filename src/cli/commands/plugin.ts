import { join } from 'node:path';
import { AGENT_NAMES, type PluginAgent, type PluginPlace, type PluginScope } from '../../app/plugin/agents.ts';
import { installPlugin, type PluginChange, uninstallPlugin } from '../../app/plugin/install.ts';
import { type PluginStatus, pluginStatus } from '../../app/plugin/plugin-status.ts';
import { pluginWarnings } from '../../app/plugin/warnings.ts';
import { visible } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import { type Call, type Command, isSet, optionText } from '../shared/command.ts';
import { hostOf } from '../shared/host.ts';

/** Puts commands, agents and hooks that call specloop where an agent finds them, and takes them out again (R-SES-8). */
export const plugin: Command = {
  operands: [{ name: 'ACTION', summary: 'install, uninstall or status.', isRequired: true }],
  options: [
    { flag: '--claude', summary: 'The plugin for Claude Code.' },
    { flag: '--codex', summary: 'The skills and hooks for Codex.' },
    {
      flag: '--scope',
      placeholder: 'SCOPE',
      summary: 'user (all your projects) or project (this repository). Default: user.',
    },
  ],
  examples: [
    ['plugin install --claude', 'Adds /specloop:implement and the other commands to Claude Code.'],
    ['plugin install --codex --scope project', 'Adds the skills and hooks for Codex to this repository.'],
    ['plugin uninstall --claude', 'Removes what was installed. Files that you changed are kept and named.'],
  ],
  details: 'Writes files that the agent reads, and starts no agent.',
  run: async (call) => {
    const act = ACTIONS[actionOf(call)];
    const scope = scopeOf(call);
    for (const agent of agentsOf(call)) call.stdout.write(visible(await act(call, agent, scope)));
    if (act !== ACTIONS.uninstall)
      for (const { message, fix } of pluginWarnings(hostOf(call))) call.stderr.write(`Warning: ${message} ${fix}\n`);
    return 0;
  },
};

type Act = (call: Call, agent: PluginAgent, scope: PluginScope) => Promise<string>;

const ACTIONS = {
  install: async (call, agent, scope) => installed(await installPlugin(agent, scope, hostOf(call))),
  uninstall: async (call, agent, scope) => uninstalled(await uninstallPlugin(agent, scope, hostOf(call))),
  status: async (call, agent, scope) => statusText(await pluginStatus(agent, scope, hostOf(call))),
} as const satisfies Readonly<Record<string, Act>>;

function actionOf({ operands: [action = ''] }: Call): keyof typeof ACTIONS {
  if (Object.hasOwn(ACTIONS, action)) return action as keyof typeof ACTIONS;
  throw new UserError(`There is no action "${action}".`, 'Use install, uninstall or status.');
}

function scopeOf(call: Call): PluginScope {
  const scope = optionText(call, '--scope') ?? 'user';
  if (scope === 'user' || scope === 'project') return scope;
  throw new UserError(`--scope cannot be "${scope}".`, 'Use user or project.');
}

function agentsOf(call: Call): readonly PluginAgent[] {
  const agents = (['claude', 'codex'] as const).filter((agent) => isSet(call, `--${agent}`));
  if (agents.length > 0) return agents;
  throw new UserError('No agent was named.', 'Add --claude, --codex or both.');
}

function installed({ place, version, isNewer, changed, kept }: PluginChange): string {
  const about = nameOf(place);
  if (isNewer)
    return `${about}: version ${version} is installed, which is newer than this program. It was left as it is. Update specloop.\n${keptText(place, kept)}`;
  const done = changed ? `installed version ${version} in` : `version ${version} is already installed in`;
  return `${about}: ${done} ${folderOf(place)}.\n${keptText(place, kept)}${changed ? NEXT[place.agent] : ''}`;
}

/** What is left to do for the user. */
const NEXT: Readonly<Record<PluginAgent, string>> = {
  claude: 'Start a new session of Claude Code, then use /specloop:implement.\n',
  codex:
    'Start a new session of Codex, allow the hooks with /hooks (it runs none that you have not seen), then use $specloop-implement.\n',
};

function uninstalled({ place, changed, kept }: PluginChange): string {
  const done = changed ? `uninstalled from ${folderOf(place)}` : 'not installed';
  return `${nameOf(place)}: ${done}.\n${keptText(place, kept)}`;
}

function keptText({ pages: { anchor } }: PluginPlace, kept: readonly string[]): string {
  return kept.map((path) => `  Kept ${join(anchor, path)}, which is not as specloop wrote it.\n`).join('');
}

function statusText({ place, version, programVersion, differing }: PluginStatus): string {
  const about = nameOf(place);
  if (version === undefined) return `${about}: not installed.\n`;
  const lines = [
    `${about}: version ${version} in ${folderOf(place)}.`,
    ...(version === programVersion ? [] : [`  This program has version ${programVersion}. ${updateHint(place)}`]),
    ...differing.map((path) => `  ${path} is not as it was installed.`),
  ];
  return `${lines.join('\n')}\n`;
}

function updateHint({ agent, scope }: PluginPlace): string {
  return `Bring both to the same with "specloop plugin install --${agent}${scope === 'user' ? '' : ' --scope project'}".`;
}

function nameOf({ agent, scope }: PluginPlace): string {
  return `${AGENT_NAMES[agent]} (${scope})`;
}

function folderOf({ pages: { anchor, path } }: PluginPlace): string {
  return join(anchor, path);
}
