import { describe, expect, test } from 'vitest';
import { evolve, fold } from '../../core/run/evolve.ts';
import { stateFields } from '../../core/run/record/state-fields.ts';
import { delegated, plannedTask, returned, silent, started } from '../../core/run/test-rig.ts';
import { updateStateFile } from '../../core/state-file/update.ts';
import { knownStateText } from './known-state-text.ts';

const events = [...started([plannedTask('1.1')]), delegated('1.1')];
const state = fold(events);
if (state === undefined) throw new Error('Nothing was folded.');
const base = updateStateFile('{ "x-own": [1] }\n', stateFields(state));

describe('the state file while work is handed over (R-VER-3, R-FILE-4)', () => {
  test('is as it was given, or as a process that was killed may have written it since', () => {
    expect(knownStateText(base, { found: base, events })).toEqual({ text: base, isTouched: false });
    const failed = [...events, returned('1.1', 1, silent)];
    const after = failed.slice(events.length).reduce(evolve, state);
    const later = updateStateFile(base, stateFields(after as NonNullable<typeof after>));
    expect(knownStateText(base, { found: later, events: failed })).toEqual({ text: later, isTouched: false });
  });

  test.each([undefined, '{}', '{ "x-own": [2] }\n', 'no JSON'])('is known although someone else wrote %s', (found) => {
    expect(knownStateText(base, { found, events })).toEqual({ text: base, isTouched: true });
  });
});
