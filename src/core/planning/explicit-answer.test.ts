import { expect, test } from 'vitest';
import { explicitAnswer } from './explicit-answer.ts';

const OPTIONS = { options: ['SQLite', 'Postgres', 'Yes'].map((label) => ({ label, consequence: 'c' })) };

test.each([
  ['2', 'Postgres'],
  [' sqlite ', 'SQLite'],
  ['yes', 'Yes'],
  ['Neither: use files.', 'Neither: use files.'],
])('with options, %j is the answer %j (R-ASK-2)', (said, answer) => {
  expect(explicitAnswer(OPTIONS, said)).toEqual({ ok: true, answer });
});

test.each([
  ['No.', 'No.'],
  ['8080', '8080'],
  ['Only for admins', 'Only for admins'],
])('without options, %j is the answer %j (R-ASK-2)', (said, answer) => {
  expect(explicitAnswer({}, said)).toEqual({ ok: true, answer });
});

test.each(['', '  \n', 'ok', 'OK.', 'yes', 'Yes!', 'go on', 'Go ahead', 'sounds good', 'you decide', '"sure"'])(
  '%j answers nothing (R-ASK-2)',
  (said) => {
    expect(explicitAnswer({}, said)).toMatchObject({ ok: false });
  },
);

test('the number of an option that is not there answers nothing (R-ASK-2)', () => {
  expect(explicitAnswer(OPTIONS, '4')).toEqual({ ok: false, why: expect.stringContaining('1 to 3') });
});
