import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HookGroups } from '../../core/plugin/hook-settings.ts';
import type { PluginAgent } from './agents.ts';

/** The files of a plugin as they come with this version of specloop. */
export interface Shipped {
  readonly version: string;
  /** Texts by their path below the plugin's folder, with `/`. */
  readonly pages: ReadonlyMap<string, string>;
  /** What goes into the hooks file that the agent shares among all; absent where the plugin has one of its own. */
  readonly hooks?: HookGroups;
}

/** Reads them from the package (R-SES-8). */
export function shippedPlugin(agent: PluginAgent): Shipped {
  const root = packageFolder('plugin');
  const manifest = JSON.parse(readFileSync(join(root, 'claude/.claude-plugin/plugin.json'), 'utf8')) as Manifest;
  const { version } = manifest;
  if (agent === 'claude') return { version, pages: textsBelow(join(root, 'claude')) };
  const { hooks } = JSON.parse(readFileSync(join(root, 'codex/hooks.json'), 'utf8')) as { readonly hooks: HookGroups };
  return { version, pages: textsBelow(join(root, 'codex/skills')), hooks };
}

/** The page for a session that coordinates a run and is driven by another plugin; `$spec` is where the spec's name goes (R-START-9). */
export function coordinatorPage(): string {
  return readFileSync(join(packageFolder('plugin'), 'coordinator-prompt.md'), 'utf8');
}

interface Manifest {
  readonly version: string;
}

/** A folder of the package: the sources lie deeper in it than what is built. */
function packageFolder(name: string): string {
  const up = import.meta.url.endsWith('.ts') ? '../../..' : '..';
  return fileURLToPath(new URL(`${up}/${name}`, import.meta.url));
}

function textsBelow(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const names = files.map((file) => relative(folder, file).split(sep).join('/')).sort();
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
