import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UserError } from '../core/user-error.ts';

import type { WrittenSettings } from './yaml-text.ts';

/** The files at a repository's root that hold our settings; one that ends in `.yml` is refused by name. */
export const SETTINGS_FILES: readonly string[] = ['.yaml', '.json', '.yml'].map((end) => `specloop.config${end}`);

const BYTES_MAX = 1024 * 1024;

/**
 * Reads `<stem>.yaml` or `<stem>.json` of a folder; `undefined` if there is neither. Data only: nothing of it is run.
 * Throws `UserError` for a file that cannot be read, for one that is neither, and if both are there.
 */
export async function readSettingsFile(
  dir: string,
  stem: string,
  shown: (file: string) => string,
): Promise<WrittenSettings | undefined> {
  const endings = ['.yaml', '.json', '.yml'];
  const [yaml, json, yml] = await Promise.all(endings.map((ending) => textOf(join(dir, stem + ending), shown)));
  const name = shown(join(dir, stem));
  if (yml !== undefined)
    throw new UserError(
      `${name}.yml is not read: a settings file ends in .yaml.`,
      `Rename it to ${basename(stem)}.yaml.`,
    );
  if (yaml !== undefined && json !== undefined)
    throw new UserError(
      `There are two settings files: ${name}.yaml and ${name}.json.`,
      'Move the settings into one of them, and remove the other.',
    );
  if (json !== undefined) checkJson(json, `${name}.json`);
  const text = json ?? yaml;
  if (text === undefined) return undefined;
  const { parseYaml } = await import('./yaml-text.ts'); // Most commands meet no file and need no parser.
  return parseYaml(text, `${name}${json === undefined ? '.yaml' : '.json'}`);
}

async function textOf(path: string, shown: (file: string) => string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    if (found.isFile() && found.size <= BYTES_MAX) return await readFile(path, 'utf8');
    const wrong = found.isFile() ? `has ${found.size} bytes; at most ${BYTES_MAX} are read` : 'is not a regular file';
    throw new UserError(
      `${shown(path)} ${wrong}.`,
      'Replace it with a file that contains only settings, or remove it.',
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (error instanceof UserError || code === undefined) throw error;
    const reason = /^\w+: (.*?)(, \w+|$)/.exec(error instanceof Error ? error.message : '')?.[1] ?? code;
    const way = code === 'EACCES' || code === 'EPERM' ? 'Change its permissions' : 'Fix this';
    throw new UserError(`Cannot read ${shown(path)}: ${reason}.`, `${way}, or remove the file.`);
  }
}

/** Valid JSON is YAML too, and the parser of YAML tells where everything is; only it has to be valid. */
function checkJson(text: string, file: string): void {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new UserError(`${file} is not JSON: ${said}.`, 'Correct it, then run the command again.');
  }
}
