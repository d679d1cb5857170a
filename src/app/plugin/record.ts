import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import type { Contents } from '../../core/plugin/plan-pages.ts';
import type { PluginPlace } from './agents.ts';

/** What an install wrote. */
export interface InstallRecord {
  readonly v: 1;
  /** The version of specloop that wrote it. */
  readonly version: string;
  /** SHA-256 of each page, by its path below the plugin's folder. */
  readonly files: Contents;
  /** The texts that were put into the shared hooks file. */
  readonly hooks: readonly string[];
}

const BYTES_MAX = 1024 * 1024;

/** The record of an installed plugin. One that cannot be read counts as none: then nothing is known to be ours. Throws `StorageFault`. */
export function readRecord({ record }: PluginPlace): InstallRecord | undefined {
  const text = readText(join(record.anchor, record.path), BYTES_MAX);
  if (text === undefined) return undefined;
  try {
    const found = JSON.parse(text) as Partial<InstallRecord> | null;
    if (found?.v !== 1 || typeof found.version !== 'string') return undefined;
    const files = Object.entries(found.files ?? {}).filter(([name]) => isPlain(name));
    const hooks = (found.hooks ?? []).filter((piece) => typeof piece === 'string' && piece !== '');
    return { v: 1, version: found.version, files: Object.fromEntries(files), hooks };
  } catch {
    return undefined;
  }
}

/** A record in a project may come from anyone: a name that leads out of the plugin's folder is none of ours (R-SEC-1). */
function isPlain(name: string): boolean {
  return name.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !name.includes('\\');
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
