import { STATE_FILE } from '../../core/spec-files.ts';
import { parseStateFile, type StateFileFields } from '../../core/state-file/parse.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecFiles } from '../../ports/store.ts';

export interface ReadState {
  readonly text: string | undefined;
  readonly state: StateFileFields;
}

/** The state file as it is. One that can't be read stops the start and stays as it is (R-START-5). Throws `UserError`. */
export async function readState(files: SpecFiles, path: string): Promise<ReadState> {
  const text = await files.read(STATE_FILE);
  if (text === undefined) return { text, state: {} };
  const parsed = parseStateFile(text);
  if (parsed.ok) return { text, state: parsed.state };
  throw new UserError(
    `${path}/${STATE_FILE} is not a state file: ${parsed.problem}`,
    'Correct it, or rebuild it from the plan with "specloop implement --reset-state", which keeps the old file as a backup.',
  );
}

/** Moves a state file away, to a name of its own that is ignored like it, so that the next is built from the plan (R-START-5). Returns that name. */
export async function resetState(files: SpecFiles, stamp: string): Promise<string | undefined> {
  const text = await files.read(STATE_FILE).catch(() => undefined);
  if (text === undefined) return undefined;
  const backup = `${STATE_FILE}.${stamp.replace(/[^0-9TZ]/g, '')}.bak`;
  await files.write(backup, text);
  await files.remove(STATE_FILE);
  return backup;
}
