import { describe, expect, test } from 'vitest';
import { findDoubts } from './doubt.ts';

const doubts = (answer: string, more: Partial<Parameters<typeof findDoubts>[1]> = {}) =>
  findDoubts(answer, { role: 'executor', ...more });

describe('signs that something is missing (R-VER-11)', () => {
  test.each([
    ['The export is stubbed. All else is there.', ['The export is stubbed.']],
    ['TASK_COMPLETE\n\nActually, the second endpoint has no check.', ['Actually, the second endpoint has no check.']],
    ['- [x] parser\n- [ ] printer', ['- [ ] printer']],
    ['2 of 17 tests fail.', ['2 of 17 tests fail.']],
    ['I have\u200bn’t run the tests.', ['I haven’t run the tests.']],
    ['I lowered the **coverage threshold** to 60.', ['I lowered the coverage threshold to 60.']],
    ['I committed with `--no-verify`.', ['I committed with \u25ab.']],
    ['The suite is green again, since I disabled the slow tests.', expect.any(Array)],
    ['The step that deploys was not attempted.', ['The step that deploys was not attempted.']],
    ['The export, which the task asks for, is not implemented.', expect.any(Array)],
    ['Build: PASS. Contrast: FAIL.', ['Contrast: FAIL.']],
    ['| UI | pending |', ['| UI | pending |']],
    ['He desactivado las pruebas.', ['He desactivado las pruebas.']],
    ['Я отключил тесты.', ['Я отключил тесты.']],
    ['5 of the 8 files are moved.', ['5 of the 8 files are moved.']],
  ])('in %j are named as sentences', (answer, found) => {
    expect(doubts(answer)).toEqual(found);
  });

  test.each([
    'Skipped anything? No.',
    'No test was skipped, nothing is stubbed.',
    'If the connection drops later, the limiter fails open.',
    'The two tests that failed at first pass now.',
    'As this step asks, both tests fail.',
    'I added `it.skip` to the list of words.',
    '```\n2 failed\n```',
    '> 2 tests failed',
    'The wiring is not part of this task.',
    '- [x] AC-2.3 A failed export can be retried',
    'The build was red because of a cache; it is green now.',
    'I ran it 30 times in a row without a failure.',
    'The lock is taken away after three failures.',
    'Unfinished uploads are removed, and users who have not confirmed their address are told so.',
    'Incomplete input is kept and asked for again.',
    'The wiring belongs to task 2.3 and is not done here.',
    'I looked for skipped tests and for lowered thresholds.',
    'It exits with 1 when a link is broken.',
    'I migrated two files by hand.',
    '44 of 44 tests pass. 🎉',
    'El botón queda deshabilitado mientras falten datos. Кнопка отключена, пока форма пуста.',
    'Wenn ein Feld fehlt, gilt der Standardwert. Se manca, vale 20. 请求失败时最多重试三次。',
  ])('are none in %j', (answer) => {
    expect(doubts(answer)).toEqual([]);
  });

  test('are none in words that the task itself uses', () => {
    const answer = 'The endpoint is stubbed, returning two rows.';
    expect(doubts(answer)).toHaveLength(1);
    expect(doubts(answer, { block: '- [ ] 1.1 Provide a stubbed endpoint' })).toEqual([]);
  });

  test('are the words that a person has set, in place of the built-in ones', () => {
    expect(doubts('It is stubbed. It is hacky.', { phrases: ['is hacky'] })).toEqual(['It is hacky.']);
    expect(doubts('It is stubbed.', { phrases: [] })).toEqual([]);
  });

  test('of a reviewer are those of its own work alone', () => {
    expect(doubts('I only skimmed the diff.', { role: 'reviewer' })).toHaveLength(1);
    expect(doubts('I did not read the tests.', { role: 'reviewer' })).toHaveLength(1);
    expect(doubts('Looks good. I looked for missing checks: there are none.', { role: 'reviewer' })).toEqual([]);
    expect(doubts('A test is disabled, which the task asks for.', { role: 'reviewer' })).toEqual([]);
  });

  test('of a reviewer are those of work that it passes all the same', () => {
    expect(doubts('Fine, but AC-2 is not met.', { role: 'reviewer' })).toHaveLength(1);
    expect(doubts('There is no injection and no race.', { role: 'reviewer' })).toEqual([]);
  });

  test('are few, bounded and on one line', () => {
    const found = doubts(Array.from({ length: 50 }, (_, n) => `Part ${n} is stubbed ${'x'.repeat(500)}.`).join('\n\n'));
    expect(found).toHaveLength(5);
    for (const sentence of found) expect(sentence.length).toBeLessThanOrEqual(200);
  });

  test.each(['not ', 'I could ', 'the test ', '1 error ', 'a. ', 'if ', '| ', '**', 'nicht '])(
    'are looked for in linear time, with %j over and over',
    (unit) => {
      const once = (text: string) => {
        const began = process.cpuUsage();
        doubts(text);
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1_000; // What else the machine does takes none of ours.
      };
      const run = (times: number) => Math.min(...[1, 2].map(() => once(unit.repeat(times))));
      expect(run(16_000)).toBeLessThan(40 * Math.max(run(2_000), 20));
    },
  );
});
