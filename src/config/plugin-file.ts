import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SettingsFile } from './schema.ts';
import type { WrittenSettings } from './yaml-text.ts';

/** Where the older plugin keeps its settings, in a repository: the front matter of this file (R-PLAN-7). */
const PLUGIN_SETTINGS_FILE = '.claude/ralph-specum.local.md';

const BYTES_MAX = 256 * 1024;
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m;
/** Lines before the front matter. */
const LINES_BEFORE = 1;

/** Their names, what they are here, and the values that are taken; another value counts as missing. */
const FIELDS: readonly (readonly [theirs: string, ours: keyof SettingsFile, isTaken: (value: unknown) => boolean])[] = [
  ['specs_dirs', 'specsDirs', isFolderList],
  ['default_max_iterations', 'maxTaskIterations', (value) => Number.isInteger(value) && Number(value) > 0],
  ['auto_commit_spec', 'commitSpec', (value) => typeof value === 'boolean'],
];

/**
 * What the settings of the older plugin say of ours; `undefined` where there are none. The file is not ours, so what cannot be
 * read of it is left out, and nothing of it is an error.
 */
export async function readPluginSettings(root: string): Promise<WrittenSettings | undefined> {
  const matter = FRONT_MATTER.exec(await textOf(join(root, PLUGIN_SETTINGS_FILE)));
  if (matter?.index !== 0) return undefined;
  const written = await yamlOf(matter[1] ?? '');
  const theirs = (written?.value ?? {}) as Readonly<Record<string, unknown>>;
  const found = FIELDS.filter(([name, , isTaken]) => isTaken(theirs[name]));
  if (written === undefined || found.length === 0) return undefined;
  const nameOf = new Map(found.map(([name, ours]) => [ours as PropertyKey, name]));
  return {
    file: PLUGIN_SETTINGS_FILE,
    value: Object.fromEntries(found.map(([name, ours]) => [ours, theirs[name]])),
    placeOf: ([key = '', ...rest]) => {
      const [line = '1', column = '1'] = written.placeOf([nameOf.get(key) ?? key, ...rest]).split(':');
      return `${Number(line) + LINES_BEFORE}:${column}`;
    },
  };
}

function isFolderList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== '');
}

async function yamlOf(text: string): Promise<WrittenSettings | undefined> {
  const { parseYaml } = await import('./yaml-text.ts'); // Most commands meet no file and need no parser.
  try {
    return parseYaml(text, PLUGIN_SETTINGS_FILE);
  } catch {
    return undefined;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const found = await stat(path);
    return found.isFile() && found.size <= BYTES_MAX ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}
