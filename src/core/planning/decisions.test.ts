import { expect, test } from 'vitest';
import { decisionLine, decisionsIn, isAbout, withDecision } from './decisions.ts';

const ANSWERED = { id: 'database', question: 'Which database?', answer: 'SQLite' } as const;
const ASSUMED = { id: 'port', question: 'Which port?', answer: '8080', basis: 'assumed' } as const;
const OPEN = { id: 'users', question: 'How many users?', answer: '', basis: 'open' } as const;

test('what persons decide is kept apart from what is assumed or open, each once (R-ASK-2, R-ASK-3)', () => {
  const all = [ANSWERED, ASSUMED, OPEN, ANSWERED, { ...OPEN, basis: 'look-up' as const }];
  const progress = all.reduce(withDecision, '# demo\n\n## Original Goal\ng\n');
  expect(progress).toContain('## Interview Responses\n- [database] Which database? Answer: SQLite\n');
  expect(decisionsIn(progress)).toEqual({
    byPersons: ['[database] Which database? Answer: SQLite'],
    assumed: ['[port] Which port? Assumed: 8080', '[users] How many users? Open.'],
  });
});

test.each([
  [{ id: 'DATABASE', ask: 'Anything else' }, true],
  [{ id: 'db', ask: 'which  DATABASE?' }, true],
  [{ id: 'db', ask: 'Which data' }, false],
  [{ id: 'data', ask: 'Which database server?' }, false],
])('%j is known by its id or its text: %s (R-ASK-3)', (question, known) => {
  expect(isAbout(decisionLine(ANSWERED), question)).toBe(known);
});
