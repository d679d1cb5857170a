import type { RunState } from '../../core/run/data/state.ts';
import { handOvers, isTreeHandedOver } from '../../core/run/drivers.ts';
import { type SpecLayout, stateFileOf } from '../../core/spec-files.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { HandedOver } from '../../engine/lane/handed-over.ts';
import { knownStateText } from '../../engine/lane/known-state-text.ts';
import { readIfText } from '../../engine/lane/read-if-text.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RecordedRun, RunArchive, RunFolder, SpecFiles } from '../../ports/store.ts';
import { latestRun } from '../run/runs.ts';
import { type ReadState, readState } from './state-text.ts';

/** The state file as a start takes it. */
export interface FoundState extends ReadState {
  /** Whether someone who works in the tree has changed it; the attempt is then rejected, and the file put back. */
  readonly isTouched: boolean;
}

/** The newest run, as far as it has to be known. */
export interface NewestRun {
  readonly run: RecordedRun;
  readonly state: RunState;
  readonly folder: RunFolder;
}

/**
 * The state file as it is; while work is handed over, as specloop wrote it. Throws `UserError` for one that cannot be read
 * (R-START-5).
 */
export async function foundState(
  files: SpecFiles,
  { spec, newest, clock }: { readonly spec: SpecLayout; readonly newest: NewestRun | undefined; readonly clock: Clock },
): Promise<FoundState> {
  const base = newest && (await textGiven(newest, clock));
  if (newest === undefined || base === undefined) return { ...(await readState(files, spec)), isTouched: false };
  const events = newest.run.envelopes.map(({ event }) => event);
  const found = await readIfText(files, stateFileOf(spec));
  const { text, isTouched } = knownStateText(base, { found, events });
  const parsed = parseStateFile(text ?? '');
  // In a batch no one is to blame: the members have trees of their own.
  return { text, state: parsed.ok ? parsed.state : {}, isTouched: isTouched && isTreeHandedOver(newest.state) };
}

/**
 * Requires a state file that can be read, unless work is handed over: who does it may have damaged the file, which is then put
 * back. Throws `UserError` (R-START-5).
 */
export async function requireState(files: SpecFiles, spec: SpecLayout, archive: RunArchive): Promise<void> {
  try {
    await readState(files, spec);
  } catch (error) {
    if (handOvers((await latestRun(archive))?.state).length === 0) throw error;
  }
}

/** What the state file said when the work was handed over that is still under way; `undefined` if there is none. */
async function textGiven({ state, folder }: NewestRun, clock: Clock): Promise<string | undefined> {
  const given = new HandedOver(folder, clock);
  for (const { holder } of handOvers(state)) {
    const text = (await given.brief(holder.token))?.stateText;
    if (text !== undefined) return text;
  }
  return undefined;
}
