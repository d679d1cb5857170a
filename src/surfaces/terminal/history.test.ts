import { expect, test } from 'vitest';
import type { RunEvent } from '../../core/run/data/event.ts';
import {
  begun,
  checking,
  claim,
  delegated,
  envelopes,
  recorded,
  rejected,
  returned,
  task,
} from '../../core/view/test-rig.ts';
import { tallyOf } from '../../core/view/totals/tally.ts';
import { history } from './history.ts';
import { unicodeSymbols } from './symbols.ts';

const plan = [task('1.1', { title: 'Add parser' }), task('1.2')];

/** What the last event leaves in the history. */
function left(...events: readonly (RunEvent | readonly RunEvent[])[]): string {
  const all = envelopes(...events);
  const [before, after] = [tallyOf(all.slice(0, -1)), tallyOf(all)];
  const last = all.at(-1);
  if (after === undefined || last === undefined) throw new Error('A run has at least one event.');
  return history(last, { before, after }, unicodeSymbols)
    .map((line) => line.map(({ text }) => text).join(''))
    .join('\n');
}

test('a finished task is one line: how it was proven, attempts, time and commit', () => {
  expect(left(begun(plan), rejected('1.1'), recorded('1.1', 2))).toBe(
    '✔ 1.1 Add parser  verified · 2 attempts · 1m50s · 4f1c9ab',
  );
});

test('a task that no command and no verifier checked is not called verified (R-VER-9)', () => {
  const unchecked = [task('1.1', { title: 'Add parser', verifyCommand: null, verifyKind: 'prose' })];
  expect(left(begun(unchecked), recorded('1.1'))).toContain('Add parser  checked by no command · ');
  expect(left(begun([{ ...task('1.1'), verifyCommand: null, verify: true }]), recorded('1.1'))).toContain(
    '  verified · ',
  );
  expect(left(begun([{ ...task('1.1'), fixes: '1.0' }]), recorded('1.1'))).toContain('  accepted · ');
});

test('a rejection shows the end of the output, at most twenty lines', () => {
  const output = Array.from({ length: 50 }, (_, n) => `line ${n}`).join('\n');
  const lines = left(begun(plan), rejected('1.1', 1, output).slice(0, 4)).split('\n');
  expect(lines[0]).toBe('✖ 1.1: rejected at verify: `npm test` exited with 1.');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('      line 49');
});

test('a usage limit is no rejection (R-DEL-7)', () => {
  const limited = returned('1.1', { how: 'rate-limited', message: 'Limit.', answer: { ...claim, signal: 'none' } });
  expect(left(begun(plan), delegated('1.1'), limited)).toBe('  1.1: the agent reached a usage limit: Limit.');
});

test('what the live region shows while it lasts leaves nothing', () => {
  expect(left(begun(plan), delegated('1.1'))).toBe('');
  expect(left(begun(plan), delegated('1.1'), returned('1.1'), checking('1.1'))).toBe('');
});

test('a regression of the tests is marked as what it is, failures from before are not (R-ADV-3)', () => {
  const ran = (when: 'baseline' | 'end'): RunEvent => ({
    type: 'tests-run',
    when,
    failures: ['adds'],
    output: '',
    durationMs: 1000,
  });
  expect(left(begun(plan), recorded('1.1'), ran('end'))).toBe('✖ Tests fail that did not fail before:\n      adds');
  expect(left(begun(plan), ran('baseline'))).toMatch(/^ {2}Before the first task/);
});
