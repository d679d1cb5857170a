import { join } from 'node:path';
import { hookCommands } from '../../core/plugin/hook-settings.ts';
import type { Contents, PluginFiles } from '../../core/plugin/plan-pages.ts';
import { JsonProblem } from '../../core/state-file/json-text.ts';
import { UserError } from '../../core/user-error.ts';
import type { AnchoredPath, PluginPlace } from './agents.ts';
import { textAt } from './change.ts';
import { hashOf, type InstallRecord, readRecord } from './record.ts';
import type { Shipped } from './shipped.ts';

/** What lies in the place of a plugin. */
export interface Installed {
  readonly record?: InstallRecord;
  readonly files: PluginFiles;
  /** The shared hooks file; absent if there is none. */
  readonly hooksText?: string;
}

/** Looks at it; changes nothing. Throws `StorageFault` or `UserError`. */
export function lookAtPlugin(place: PluginPlace, { pages }: Shipped): Installed {
  textAt(place.record); // Refuses links on the way.
  const record = readRecord(place);
  const recorded = record?.files ?? {};
  const shipped = Object.fromEntries([...pages].map(([name, text]) => [name, hashOf(text)]));
  const names = [...new Set([...Object.keys(shipped), ...Object.keys(recorded)])];
  const found: Contents = Object.fromEntries(
    names.flatMap((name) => {
      const text = textAt(pageAt(place, name));
      return text === undefined ? [] : [[name, hashOf(text)]];
    }),
  );
  const hooksText = place.hooks && textAt(place.hooks);
  return {
    files: { shipped, found, recorded },
    ...(record !== undefined && { record }),
    ...(hooksText !== undefined && { hooksText }),
  };
}

export function pageAt({ pages }: PluginPlace, name: string): AnchoredPath {
  return { anchor: pages.anchor, path: `${pages.path}/${name}` };
}

/** Whether a command of a hook is one that a plugin of specloop put in. */
export function isOurHook(command: string): boolean {
  return command.includes('specloop hook ');
}

/** Whether all hooks of the plugin, and no other of ours, are in the shared hooks file. Throws `UserError`. */
export function hasHooks(place: PluginPlace, { hooksText }: Installed, { hooks = {} }: Shipped): boolean {
  if (hooksText === undefined) return Object.keys(hooks).length === 0;
  const ours = (text: string) =>
    hookCommands(text)
      .filter(([, command]) => isOurHook(command))
      .map(String)
      .sort();
  return inSettings(place, () => ours(hooksText).join('\n') === ours(JSON.stringify({ hooks })).join('\n'));
}

/** Calls what reads the shared hooks file; a file that is broken is a problem of the user's. Throws `UserError`. */
export function inSettings<Result>({ hooks }: PluginPlace, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonProblem) || hooks === undefined) throw error;
    const file = join(hooks.anchor, hooks.path);
    throw new UserError(
      `${file}:${error.line}:${error.column} is broken: ${error.message}.`,
      'Correct the file or move it away, then run the command again. Nothing was changed.',
    );
  }
}
