import * as z from 'zod/mini';
import { type Kind, kinds } from './kinds.ts';
import { defaults, scopes, settingsFile } from './schema.ts';

/** One setting, for options, variables, help and the reference. */
export interface Setting {
  /** As in the file, with dots between groups: `roles.reviewer.model`. */
  readonly key: string;
  readonly description: string;
  readonly kind: Kind;
  /** The option of `implement`, if it has one. */
  readonly flag?: string;
  /** The variable, if it has one. */
  readonly variable?: string;
  /** Heading under which help lists the option. */
  readonly group?: string;
  /** Whether only the person may make it, and no repository's file. */
  readonly isPersonal: boolean;
  /** As written in a file; `undefined` if there is none. */
  readonly fallback: unknown;
}

/** Stands in a key for a name that the user chooses: `agents.NAME.model`. */
export const ANY_NAME = 'NAME';

/** All settings, in the order of the schema. */
export const settings: readonly Setting[] = leaves(settingsFile, []);

/** The names that a group of the file may hold: of the whole file for an empty path. */
export function namesAt(path: readonly PropertyKey[]): readonly string[] {
  let schema: z.ZodMiniType = settingsFile;
  for (const name of path) {
    if (schema instanceof z.ZodMiniObject) schema = unwrapped(schema.shape[String(name)]);
    else if (isNamedGroup(schema)) schema = unwrapped(schema.def.valueType);
    else return [];
  }
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

function leaves(group: z.ZodMiniObject, path: readonly string[]): readonly Setting[] {
  return Object.entries(group.shape).flatMap(([name, wrapped]) => {
    const schema = unwrapped(wrapped);
    if (schema instanceof z.ZodMiniObject) return leaves(schema, [...path, name]);
    const each = isNamedGroup(schema) ? unwrapped(schema.def.valueType) : undefined;
    return each instanceof z.ZodMiniObject
      ? leaves(each, [...path, name, ANY_NAME])
      : [setting(schema, [...path, name])];
  });
}

/** Whether the keys of a group are names that the user chooses. */
function isNamedGroup(schema: z.ZodMiniType): schema is z.ZodMiniRecord {
  return schema instanceof z.ZodMiniRecord && !kinds.has(schema);
}

function setting(schema: z.ZodMiniType, path: readonly string[]): Setting {
  const key = path.join('.');
  const kind = kinds.get(schema);
  if (kind === undefined) throw new Error(`The setting ${key} has no kind.`);
  const { group, from } = scopes.get(schema) ?? { from: 'file' };
  return {
    key,
    description: z.globalRegistry.get(schema)?.description ?? '',
    kind,
    ...(from === 'file' ? {} : { flag: flagOf(key), variable: variableOf(key) }),
    ...(group === undefined ? {} : { group }),
    isPersonal: from === 'person',
    fallback: Object.entries(defaults).find(([name]) => name === key)?.[1],
  };
}

/** Takes off what makes a setting optional, and what names a group. */
function unwrapped(schema: unknown): z.ZodMiniType {
  return schema instanceof z.ZodMiniOptional ? unwrapped(schema.def.innerType) : (schema as z.ZodMiniType);
}

function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function variableOf(key: string): string {
  return `SPECLOOP_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
