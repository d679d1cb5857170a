import { expect, test } from 'vitest';
import { gateAnswer } from './gate-answer.ts';

test.each([
  ['a', { is: 'approve' }],
  [' Approve ', { is: 'approve' }],
  ['r', { is: 'review' }],
  ['c', { is: 'change' }],
  ['change  no OAuth, please ', { is: 'change', text: 'no OAuth, please' }],
  ['e', { is: 'edit' }],
  ['stop', { is: 'stop' }],
])('%o decides at a gate (R-GATE-1)', (line, answer) => {
  expect(gateAnswer(line)).toEqual(answer);
});

test.each(['', '  ', 'y', 'yes', 'ok', 'go on', 'approve it later'])(
  '%o decides nothing at a gate (R-GATE-1)',
  (line) => {
    expect(gateAnswer(line)).toBeUndefined();
  },
);
