import { expect, test } from 'vitest';
import { resetTimeIn } from './reset-time.ts';

const NOW = new Date(2026, 10, 28, 15, 30);
const local = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();

test.each([
  ['try again at Nov 28th, 2026 9:06 PM.', local(2026, 10, 28, 21, 6)],
  ['try again at December 1st, 2026 12:05 AM.', local(2026, 11, 1, 0, 5)],
  ['purchase more credits or try again at 4:12 PM.', local(2026, 10, 28, 16, 12)],
  ['try again at 12:30 PM.', local(2026, 10, 29, 12, 30)],
  ['try again at 3:25 PM.', local(2026, 10, 28, 15, 25)],
  ['try again at 3:15 PM.', local(2026, 10, 29, 15, 15)],
  ['or try again in 2 days 3 hours 4 minutes.', local(2026, 10, 30, 18, 34)],
  ['Your quota will reset after 3h20m0s.', local(2026, 10, 28, 18, 50)],
  ['Please retry in 90.5s.', new Date(NOW.getTime() + 90_500).toISOString()],
])('the end of a limit in "%s" is read in local time (R-AGT-3)', (text, expected) => {
  expect(resetTimeIn(text, NOW)).toBe(expected);
});

test.each([
  'Try again later.',
  'try again at noon',
  'try again in a moment',
  'resets 9:06pm',
  'try again at Foo 1st, 2026 4:00 PM',
])('there is none in "%s" (R-AGT-3)', (text) => {
  expect(resetTimeIn(text, NOW)).toBeUndefined();
});
