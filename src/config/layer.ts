import type { core } from 'zod/mini';
import { nearest } from './nearest.ts';
import { isOfCommand, originText, type SettingOrigin } from './origin.ts';
import { type SettingsFile, settingsFile } from './schema.ts';
import { namesAt, settings } from './setting.ts';

/** Settings from one source, as written there. */
export interface SettingsLayer {
  readonly from: SettingOrigin['from'];
  readonly value: unknown;
  readonly originOf: (path: readonly PropertyKey[]) => SettingOrigin;
}

/** What is wrong with a layer, one sentence each. */
export type JudgedLayer =
  | { readonly ok: true; readonly value: SettingsFile }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Turns what was written into settings, or tells everything that is wrong with it. */
export function judgeLayer(layer: SettingsLayer): JudgedLayer {
  const parsed = settingsFile.safeParse(layer.value);
  const problems = [
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue, layer))),
    ...(layer.from === 'project' ? personalIn(layer) : []),
  ];
  return parsed.success && problems.length === 0 ? { ok: true, value: parsed.data } : { ok: false, problems };
}

/** The value at a path of keys; `undefined` if nothing is there. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((group, name) => {
    if (typeof group !== 'object' || group === null) return undefined;
    return Object.hasOwn(group, name) ? (group as Record<PropertyKey, unknown>)[name] : undefined;
  }, value);
}

function problemsOf(issue: core.$ZodIssue, layer: SettingsLayer): readonly string[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(
      (key) =>
        `${originText(layer.originOf([...issue.path, key]))} "${key}" is not a setting.${meant(key, issue.path)}`,
    );
  if (issue.code === 'invalid_key')
    return [`${originText(layer.originOf(issue.path))} "${String(issue.path.at(-1))}" ${issue.message}.`];
  return [`${where(layer, issue.path)} takes ${issue.message}, not ${shown(valueAt(layer.value, issue.path))}.`];
}

/** An option or variable is its own name; in a file the name is after the place. */
function where(layer: SettingsLayer, path: readonly PropertyKey[]): string {
  const origin = layer.originOf(path);
  const key = path.filter((name) => typeof name === 'string').join('.');
  return isOfCommand(origin) ? originText(origin) : `${originText(origin)} ${key === '' ? 'the file' : key}`;
}

function meant(key: string, path: readonly PropertyKey[]): string {
  const name = nearest(key, namesAt(path));
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/** A repository must not decide what it may do to the person (R-SEC-1). */
function personalIn(layer: SettingsLayer): readonly string[] {
  const personal = settings.filter(
    ({ isPersonal, key }) => isPersonal && valueAt(layer.value, key.split('.')) !== undefined,
  );
  return personal.map(({ key, flag }) => {
    const place = originText(layer.originOf(key.split('.')));
    return `${place} ${key} is not allowed in a repository: set it in your own settings file, or with ${flag}.`;
  });
}

function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 80 ? `${json.slice(0, 79)}…` : json;
}
