import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { NO_WAIT } from '../../adapters/store/disk.ts';
import type { Environment } from '../host.ts';
import { claudeFolder } from './claude-folder.ts';

const BYTES_MAX = 1024 * 1024;

/**
 * The plugins that settings of Claude Code enable, as `name@marketplace`: those of the user, of the project at `root`, and of
 * the user in it, of which the last one that says something counts. Starts no program; settings that cannot be read say
 * nothing (R-SES-8, R-SES-9).
 */
export function enabledPlugins(env: Environment, root?: string): readonly string[] {
  const folder = claudeFolder(env);
  const files = [
    ...(folder === undefined ? [] : [join(folder, 'settings.json')]),
    ...(root === undefined ? [] : [join(root, '.claude/settings.json'), join(root, '.claude/settings.local.json')]),
  ];
  const switches = Object.assign({}, ...files.map(switchesIn)) as Readonly<Record<string, unknown>>;
  return Object.keys(switches).filter((name) => switches[name] === true);
}

/** The name of the older plugin, whatever marketplace it comes from. */
export function isOlderPlugin(name: string): boolean {
  return name.startsWith('ralph-specum@');
}

function switchesIn(file: string): object {
  try {
    const { enabledPlugins } = JSON.parse(readShort(file)) as { readonly enabledPlugins?: unknown };
    return typeof enabledPlugins === 'object' && enabledPlugins !== null ? enabledPlugins : {};
  } catch {
    return {};
  }
}

/** A link is followed, as many keep their settings elsewhere; a pipe or a huge file is not read. */
function readShort(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | NO_WAIT);
  try {
    const found = fstatSync(fd);
    if (!found.isFile() || found.size > BYTES_MAX) return '';
    const bytes = Buffer.alloc(found.size);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}
