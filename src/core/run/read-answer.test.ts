import { expect, test } from 'vitest';
import type { StructuredClaim } from '../agent/structured-claim.ts';
import { claimFailure } from './claim.ts';
import { type AnswerRules, readAnswer } from './read-answer.ts';

const rules: AnswerRules = { role: 'executor', taskId: '1.1', admissions: ['could not complete'] };
const request = { type: 'ADD_PREREQUISITE', originalTaskId: '1.1', reasoning: 'x', proposedTasks: ['- [ ] 1.0 a'] };

function read(text: string, ...claims: readonly StructuredClaim[]) {
  const answer = readAnswer(text, { ...rules, claims });
  const failure = claimFailure({ how: 'completed', message: '', answer }, 'executor');
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

test('a claim of failure counts against an answer and a claim that say complete (R-DEL-4, R-AGT-5)', () => {
  const claim: StructuredClaim = { status: 'failed', error: 'no compiler' };
  const failure = { layer: 'signal', text: 'no compiler' };
  expect(read('TASK_COMPLETE', claim, { status: 'complete' }).failure).toMatchObject(failure);
  expect(read('', claim).failure).toMatchObject({ ...failure, error: 'no compiler' });
});

test('a question is one as data and in the answer, also where completion is claimed (R-AGT-6, R-SCOPE-2)', () => {
  const asked = { answer: { question: 'Which one?' }, failure: { layer: 'signal' } };
  expect(read('TASK_COMPLETE', { status: 'needs-input', question: 'Which one?' })).toMatchObject(asked);
  expect(read('I need you.\n\n**NEEDS_INPUT**\nWhich one?\n')).toMatchObject(asked);
  expect(read('TASK_COMPLETE\nNEEDS_INPUT\nWhich one?')).toMatchObject(asked);
  const beyond = 'Field: bounds\nReason: the API lies outside\nQuestion: May I change it?';
  expect(read(`SCOPE_ESCALATION_REQUIRED\n${beyond}`)).toMatchObject({ answer: { question: beyond } });
  for (const text of [
    'Which one? NEEDS_INPUT',
    '```\nNEEDS_INPUT\nWhich one?\n```',
    'Which one?\n\nNEEDS_INPUT\n',
    '> NEEDS_INPUT\n> Which one?',
  ])
    expect(read(text).answer.question, text).toBeUndefined();
});

test('a modification request as data is checked like one in an answer (R-MOD-1)', () => {
  expect(read('', { status: 'modification-requested', request }).answer.request).toEqual(request);
  expect(read('', { status: 'modification-requested', request: { type: 'DROP' } }).answer.request).toEqual({
    malformed: expect.stringContaining('its type must be one of'),
  });
});

test('the summary of a completion by tool may take it back, like the answer (R-AGT-9, R-VER-2, R-VER-10)', () => {
  const by = (summary: string) =>
    readAnswer('Done.', {
      role: 'executor',
      taskId: '1.1',
      admissions: ['could not complete'],
      claims: [{ status: 'complete', summary }],
    });
  expect(by('All of it is there.')).toMatchObject({ signal: 'positive' });
  expect(by('I could not complete the export.').admission).toBeDefined();
  expect(by('Left undone: the export').undone).toBe('the export');
});
