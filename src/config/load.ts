import { isAbsolute, join, relative } from 'node:path';
import { UserError } from '../core/user-error.ts';
import { readSettingsFile } from './file.ts';
import { judgeLayer, type SettingsLayer, valueAt } from './layer.ts';
import { merge, withoutAlternatives } from './merge.ts';
import { nearest } from './nearest.ts';
import { originText, type SettingOrigin } from './origin.ts';
import { readPluginSettings } from './plugin-file.ts';
import { conflicts } from './rules.ts';
import { defaults, type Settings, type SettingsFile } from './schema.ts';
import { ANY_NAME, type Setting, settings } from './setting.ts';
import type { WrittenSettings } from './yaml-text.ts';

/** Where settings may come from. */
export interface Sources {
  /** Absolute path of the repository's root, or the folder that stands in for it; absent for no project file. */
  readonly root?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values of options by key of the setting, as on the command line; a switch is `true` or `false`. */
  readonly flags?: Readonly<Record<string, string | boolean | readonly string[]>>;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** Where each value came from, by key of the setting. */
  readonly origins: ReadonlyMap<string, SettingOrigin>;
  /** What a person should know, one sentence each: variables that are no settings. */
  readonly warnings: readonly string[];
  /** What the repository's file sets, by key of the setting, whatever wins over it; absent without such a file. */
  readonly project?: ReadonlyMap<string, ProjectSetting>;
}

/** A setting as the repository's file has it. */
export interface ProjectSetting {
  /** JSON. */
  readonly value: string;
  /** Where it is written, as `specloop.config.yaml:3:1`. */
  readonly from: string;
}

/** Variables of the product that are no settings: the trust of a person, and what agents are told (R-API-2). */
const OTHER_VARIABLES = new Set([
  'SPECLOOP_TRUST',
  'SPECLOOP_SPEC',
  'SPECLOOP_SPEC_DIR',
  'SPECLOOP_ROLE',
  'SPECLOOP_TASK_ID',
  'SPECLOOP_TASK_INDEX',
  'SPECLOOP_ATTEMPT',
  'SPECLOOP_WORKSPACE',
  'SPECLOOP_PROGRESS_FILE',
  'SPECLOOP_REPORT_FILE',
  'SPECLOOP_RUN_MARK',
  'SPECLOOP_PROCESS_MARK',
]);

/**
 * The settings of a command: options over variables over the repository's file over the person's file over those of the
 * older plugin (R-PLAN-7) over defaults.
 * Throws `UserError` that tells everything that is wrong in all of them.
 */
export async function loadSettings(sources: Sources): Promise<LoadedSettings> {
  const layers = await layersOf(sources);
  const problems: string[] = [];
  let merged: SettingsFile = {};
  for (const layer of layers) {
    const judged = judgeLayer(layer);
    if (!judged.ok) problems.push(...judged.problems);
    else {
      problems.push(
        ...conflicts(judged.value).map(
          ({ keys, problem }) => `${keys.map((key) => named(layer, key)).join(' and ')} ${problem}.`,
        ),
      );
      merged = merge(withoutAlternatives(merged, judged.value), judged.value);
    }
  }
  if (problems.length > 0)
    throw new UserError(problems.join('\n'), 'Correct this; "specloop help implement" describes each setting.');
  const project = layers.find(({ from }) => from === 'project');
  return {
    settings: merged as Settings,
    origins: originsOf(layers, merged),
    warnings: unknownVariables(sources.env),
    ...(project && { project: projectSettings(project) }),
  };
}

/** The keys of the settings that a value may make, with the names that it has in place of `ANY_NAME`. */
function keysIn(value: unknown): readonly string[] {
  return settings.flatMap(({ key }) => {
    const path = key.split('.');
    const place = path.indexOf(ANY_NAME);
    if (place === -1) return [key];
    const names = Object.keys(valueAt(value, path.slice(0, place)) ?? {});
    return names.map((name) => path.with(place, name).join('.'));
  });
}

function projectSettings({ value: written, originOf }: SettingsLayer): ReadonlyMap<string, ProjectSetting> {
  const made = keysIn(written).flatMap((key) => {
    const path = key.split('.');
    const value = valueAt(written, path);
    return value === undefined
      ? []
      : [[key, { value: JSON.stringify(value), from: originText(originOf(path)) }] as const];
  });
  return new Map(made);
}

async function layersOf({ root, env, flags }: Sources): Promise<readonly SettingsLayer[]> {
  const userDir = userFolder(env);
  const user = userDir === undefined ? undefined : await readSettingsFile(userDir, 'config', (file) => file);
  const project =
    root === undefined ? undefined : await readSettingsFile(root, 'specloop.config', (file) => relative(root, file));
  const plugin = root === undefined ? undefined : await readPluginSettings(root);
  return [
    { from: 'default', value: defaults, originOf: () => ({ from: 'default' }) },
    ...(plugin === undefined ? [] : [fileLayer('plugin', plugin)]),
    ...(user === undefined ? [] : [fileLayer('user', user)]),
    ...(project === undefined ? [] : [fileLayer('project', project)]),
    environmentLayer(env),
    flagLayer(flags ?? {}),
  ];
}

/** Folder of the person's own settings; a relative one would let a repository choose it. */
export function userFolder(env: Sources['env']): string | undefined {
  const { XDG_CONFIG_HOME: configured, HOME: home } = env;
  if (configured !== undefined && isAbsolute(configured)) return join(configured, 'specloop');
  return home !== undefined && isAbsolute(home) ? join(home, '.config', 'specloop') : undefined;
}

function fileLayer(from: 'plugin' | 'user' | 'project', { file, value, placeOf }: WrittenSettings): SettingsLayer {
  return { from, value, originOf: (path) => ({ from, file, place: placeOf(path) }) };
}

function environmentLayer(env: Sources['env']): SettingsLayer {
  const made = settings.flatMap((setting) => {
    const text = setting.variable === undefined ? undefined : env[setting.variable];
    return text === undefined ? [] : [[setting.key, setting.kind.decode(text)] as const];
  });
  return {
    from: 'environment',
    value: Object.fromEntries(made),
    originOf: (path) => ({ from: 'environment', variable: settingAt(path)?.variable ?? String(path[0]) }),
  };
}

function flagLayer(flags: NonNullable<Sources['flags']>): SettingsLayer {
  const made = Object.entries(flags).map(([key, value]) => [key, decoded(settingAt([key]), value)] as const);
  return {
    from: 'flag',
    value: Object.fromEntries(made),
    originOf: (path) => ({ from: 'flag', flag: settingAt(path)?.flag ?? String(path[0]) }),
  };
}

function decoded(setting: Setting | undefined, value: string | boolean | readonly string[]): unknown {
  if (setting === undefined || typeof value === 'boolean') return value;
  return typeof value === 'string' ? setting.kind.decode(value) : value.flatMap((text) => setting.kind.decode(text));
}

function settingAt(path: readonly PropertyKey[]): Setting | undefined {
  return settings.find(({ key }) => key === path[0]);
}

function originsOf(layers: readonly SettingsLayer[], merged: SettingsFile): ReadonlyMap<string, SettingOrigin> {
  const made = keysIn(merged).flatMap((key) => {
    const path = key.split('.');
    const layer = layers.findLast(({ value }) => valueAt(value, path) !== undefined);
    return layer === undefined || valueAt(merged, path) === undefined ? [] : [[key, layer.originOf(path)] as const];
  });
  return new Map(made);
}

function named(layer: SettingsLayer, key: string): string {
  const origin = layer.originOf(key.split('.'));
  return 'file' in origin ? `${originText(origin)} ${key}` : originText(origin);
}

/** Other programs share the environment, so what we do not know there is no error. */
function unknownVariables(env: Sources['env']): readonly string[] {
  const variables = settings.flatMap(({ variable }) => variable ?? []);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('SPECLOOP_') && !OTHER_VARIABLES.has(name) && !variables.includes(name),
  );
  return unknown.map((name) => {
    const meant = nearest(name, variables);
    return `The variable ${name} is not a setting and has no effect.${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
  });
}
