import { pathInFolder, type SpecLayout, stateFileOf } from '../../core/spec-files.ts';
import { parseStateFile, type StateFileFields } from '../../core/state-file/parse.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecFiles } from '../../ports/store.ts';

export interface ReadState {
  readonly text: string | undefined;
  readonly state: StateFileFields;
}

/** The state file as it is. One that can't be read stops the start and stays as it is (R-START-5). Throws `UserError`. */
export async function readState(files: SpecFiles, spec: SpecLayout): Promise<ReadState> {
  const text = await files.read(stateFileOf(spec));
  if (text === undefined) return { text, state: {} };
  const parsed = parseStateFile(text);
  if (parsed.ok) return { text, state: parsed.state };
  throw new UserError(
    `${pathInFolder(spec.path, stateFileOf(spec))} is not a state file: ${parsed.problem}`,
    'Correct it, or rebuild it from the plan with "specloop implement --reset-state", which keeps the old file as a backup.',
  );
}

/** Moves a state file away, to a name of its own that is ignored like it, so that the next is built from the plan (R-START-5). Returns that name. */
export async function resetState(files: SpecFiles, spec: SpecLayout, stamp: string): Promise<string | undefined> {
  const name = stateFileOf(spec);
  const text = await files.read(name).catch(() => undefined);
  if (text === undefined) return undefined;
  const backup = `${name}.${stamp.replace(/[^0-9TZ]/g, '')}.bak`;
  await files.write(backup, text);
  await files.remove(name);
  return backup;
}
