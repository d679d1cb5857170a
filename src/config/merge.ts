import { valueAt } from './layer.ts';
import { ALTERNATIVES } from './rules.ts';
import type { SettingsFile } from './schema.ts';

/** What is left of weaker sources next to a stronger one that says the same thing in another way, or names the same agent. */
export function withoutAlternatives(weaker: SettingsFile, stronger: SettingsFile): SettingsFile {
  const others = ALTERNATIVES.flatMap((ways) =>
    ways.some((way) => valueAt(stronger, way.split('.')) !== undefined) ? ways : [],
  );
  const dropped = [...others, ...Object.keys(stronger.agents ?? {}).map((name) => `agents.${name}`)];
  return dropped.reduce((values, key) => without(values, key.split('.')), weaker);
}

function without<Group extends object>(group: Group, [name = '', ...rest]: readonly string[]): Group {
  const entries = Object.entries(group).flatMap(([key, value]: [string, unknown]) => {
    if (key !== name) return [[key, value]];
    return rest.length > 0 && isGroup(value) ? [[key, without(value, rest)]] : [];
  });
  return Object.fromEntries(entries) as Group;
}

/** The settings of both; where both have a value, the stronger one's. Lists are values, groups are merged. */
export function merge<Group extends object>(weaker: Group, stronger: Group): Group {
  const merged: Record<string, unknown> = { ...(weaker as Record<string, unknown>) };
  for (const [key, value] of Object.entries(stronger) as [string, unknown][]) {
    const below = merged[key];
    if (value !== undefined) merged[key] = isGroup(value) && isGroup(below) ? merge(below, value) : value;
  }
  return merged as Group;
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
