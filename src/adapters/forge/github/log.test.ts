import { expect, test } from 'vitest';
import { endOfLog } from './log.ts';

const LOG = [
  '\ufeff2026-11-29T08:00:00.1234567Z Run npm test',
  '2026-11-29T08:00:01.1234567Z not ok 1',
  '2026-11-29T08:00:02.1234567Z ##[error]Process completed with exit code 1.',
  '2026-11-29T08:00:03.1234567Z Post job cleanup.',
].join('\n');

test('a log ends with its last error, and its lines tell no time (R-PR-2)', () => {
  expect(endOfLog(LOG, 1000)).toBe('Run npm test\nnot ok 1\n##[error]Process completed with exit code 1.');
});

test('a log without an error is shown to its end', () => {
  expect(endOfLog('one\ntwo\n', 1000)).toBe('one\ntwo\n');
  expect(endOfLog('##[error]last line', 1000)).toBe('##[error]last line');
});

test('of a long log the last characters are shown, and no half of one', () => {
  expect(endOfLog(LOG, 12)).toBe('exit code 1.');
  expect(endOfLog('😀😀', 3)).toBe('😀');
});
