import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { evolve } from '../../core/run/evolve.ts';
import { stateFields } from '../../core/run/record/state-fields.ts';
import { updateStateFile } from '../../core/state-file/update.ts';

/** The text of the state file as specloop wrote it, and whether someone else has changed the file since. */
export interface KnownStateText {
  readonly text: string | undefined;
  readonly isTouched: boolean;
}

/**
 * What the state file says while work is handed over, which does not belong to whoever does that work (R-VER-3): `base` is
 * its text when the work was given, `found` what is there now. A process that was killed may have written any state since then.
 */
export function knownStateText(
  base: string,
  { found, events }: { readonly found: string | undefined; readonly events: Iterable<RunEvent> },
): KnownStateText {
  const texts = [base];
  let state: RunState | undefined;
  for (const event of events) {
    state = evolve(state, event);
    const text = updateStateFile(base, stateFields(state));
    if (text !== texts.at(-1)) texts.push(text);
  }
  const isTouched = found === undefined || !texts.includes(found);
  return { text: isTouched ? texts.at(-1) : found, isTouched };
}
