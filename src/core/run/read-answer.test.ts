import { expect, test } from 'vitest';
import type { StructuredClaim } from '../agent/structured-claim.ts';
import { claimFailure } from './claim.ts';
import { type AnswerRules, readAnswer } from './read-answer.ts';

const rules: AnswerRules = { role: 'executor', taskId: '1.1', admissions: ['could not complete'] };
const request = { type: 'ADD_PREREQUISITE', originalTaskId: '1.1', reasoning: 'x', proposedTasks: ['- [ ] 1.0 a'] };

function read(text: string, ...claims: readonly StructuredClaim[]) {
  const answer = readAnswer(text, { ...rules, claims });
  const failure = claimFailure({ how: 'completed', message: '', answer }, { isVerifier: false });
  return { answer, failure };
}

test('a claim of completion means what the signal means, and no more (R-DEL-4)', () => {
  expect(read('Did it.', { status: 'complete' })).toMatchObject({ answer: { signal: 'positive' }, failure: undefined });
  expect(read('Did it.').failure?.layer).toBe('signal');
  expect(read('I could not complete the work.', { status: 'complete' }).failure?.layer).toBe('contradiction');
  expect(read('Left undone: the tests', { status: 'complete' }).failure?.text).toContain('INCOMPLETE: the tests');
  expect(read('The tests are stubbed for now.', { status: 'complete' }).answer.doubts).toEqual(
    read('The tests are stubbed for now.\n\nTASK_COMPLETE').answer.doubts,
  );
});

test.each<[StructuredClaim, string]>([
  [{ status: 'failed', error: 'no compiler' }, 'no compiler'],
  [{ status: 'needs-input', question: 'Which one?' }, 'The agent asks: Which one?'],
])('%j counts against an answer and a claim that say complete (R-DEL-4, R-AGT-5)', (claim, text) => {
  expect(read('TASK_COMPLETE', claim, { status: 'complete' }).failure).toMatchObject({ layer: 'signal', text });
  expect(read('', claim).failure).toMatchObject({ layer: 'signal', text, error: text });
});

test('a modification request as data is checked like one in an answer (R-MOD-1)', () => {
  expect(read('', { status: 'modification-requested', request }).answer.request).toEqual(request);
  expect(read('', { status: 'modification-requested', request: { type: 'DROP' } }).answer.request).toEqual({
    malformed: expect.stringContaining('its type must be one of'),
  });
});
