import { expect, test } from 'vitest';
import type { Question } from '../answer/questions.ts';
import { planned } from '../plan/data/planned-task.ts';
import { stepPlan } from '../planning/step-plan.ts';
import { stepFor } from '../planning/steps.ts';
import { defaultPolicy, type Policy } from '../policy.ts';
import { nothingCarried } from './data/carried.ts';
import type { EventOf, RunEvent } from './data/event.ts';
import { progressOf, type RunState } from './data/state.ts';
import { fold } from './evolve.ts';
import { next } from './next.ts';
import { afterQuestions, questionsAsked } from './questions.ts';

const PLANNING = { spec: 'demo', path: 'specs/demo', goal: 'g', goalClass: 'mid-sized', workflow: 'tdd' } as const;
const LANE = { kind: 'tree' } as const;
const TASK = 'research';

const question = (id: string, more: Partial<Question> = {}): Question => ({
  id,
  ask: `What of ${id}?`,
  why: 'It matters.',
  changes: 'scope',
  kind: 'decision',
  ...more,
});

function started(policy: Partial<Policy> = {}, planning: object = {}): readonly RunEvent[] {
  const plan = stepPlan([{ step: stepFor(TASK, true), isDone: false, commit: 'c' }], PLANNING);
  return [
    {
      type: 'run-started',
      policy: { ...defaultPolicy(1), ...policy },
      tasks: plan.tasks.map((task) => planned(task, '')),
      agents: 'a',
      carried: nothingCarried,
      globalIteration: 0,
      planning: { ...PLANNING, ...planning },
    },
    { type: 'effect-started', effect: { do: 'prepare' } },
    { type: 'run-prepared', branch: 'feat/demo', head: 'c1', foreign: [], notes: [] },
  ];
}

/** An attempt whose author asks, up to what it left being kept. */
function asks(attempt: number, ...questions: readonly Question[]): readonly RunEvent[] {
  return [...returns(attempt, questions), ...aside(attempt, questions)];
}

function returns(attempt: number, questions: EventOf<'agent-returned'>['answer']['questions']): readonly RunEvent[] {
  const at = { task: TASK, attempt };
  const answer = { signal: 'none', excerpt: '', ...(questions && { questions }) } as const;
  return [
    { type: 'effect-started', effect: { do: 'delegate', ...at, role: 'researcher', base: 'c1', lane: LANE } },
    { type: 'agent-returned', ...at, how: 'completed', message: '', answer, usage: {}, durationMs: 1 },
  ];
}

function aside(attempt: number, questions: readonly Question[]): readonly RunEvent[] {
  const at = { task: TASK, attempt };
  const kept = { ref: `refs/kept/${attempt}`, treeId: `t${attempt}` };
  return [
    { type: 'effect-started', effect: { do: 'set-aside', ...at, lane: LANE, keepChanges: true } },
    { type: 'questions-asked', ...at, questions, kept, repaired: [] },
  ];
}

const after = (...events: readonly RunEvent[]) => fold(events) as RunState;
const resumed = (answers: NonNullable<EventOf<'run-resumed'>['answers']>, policy?: Policy): EventOf<'run-resumed'> => ({
  type: 'run-resumed',
  head: 'c1',
  answers,
  ...(policy && { policy }),
});
const basisOf = (state: RunState) =>
  Object.fromEntries((progressOf(state, TASK).answered ?? []).map(({ id, basis }) => [id, basis ?? 'person']));

test('a list of questions ends the run with it, the draft is kept, and no attempt is used (R-ASK-1, R-ASK-3)', () => {
  const asked = [question('a', { recommended: 'x' }), question('b')];
  expect(next(after(...started(), ...returns(1, asked)))).toMatchObject({ do: 'set-aside', keepChanges: true });
  const state = after(...started(), ...asks(1, ...asked));
  expect(next(state)).toMatchObject({ do: 'finish', result: 'waiting', wants: { questions: asked } });
  expect(next(state)).toHaveProperty(
    'reason',
    expect.stringMatching(
      /2 questions\n {2}\[a\] What of a\? \(recommended: x\)[\s\S]*refs\/kept\/1[\s\S]*specloop answer a demo/,
    ),
  );
  expect(state.globalIteration).toBe(0);
  expect(progressOf(state, TASK)).toMatchObject({ at: 'asking', failures: [] });
  const options = [
    { label: 'x', consequence: 'one' },
    { label: 'y', consequence: 'two' },
  ];
  const offers = (asked: Question) => {
    const { reason } = next(after(...started(), ...asks(1, asked))) as { readonly reason: string };
    return [reason.includes('the number of an option'), reason.includes('start demo --assume')];
  };
  expect(offers(question('a', { recommended: 'x', options }))).toEqual([true, true]);
  expect(offers(question('b'))).toEqual([false, false]);
});

test('the step goes on once the last question is answered; until then the rest is asked (R-ASK-2, R-ASK-3)', () => {
  const begun = [...started(), ...asks(1, question('a'), question('b'))];
  const one = after(...begun, resumed([{ task: TASK, question: 'b', answer: 'y' }]));
  expect(next(one)).toMatchObject({ do: 'finish', wants: { questions: [{ id: 'a' }] } });
  const both = after(
    ...begun,
    resumed([{ task: TASK, question: 'b', answer: 'y' }]),
    resumed([{ task: TASK, question: 'a', answer: 'z', basis: 'assumed' }]),
  );
  expect(next(both)).toMatchObject({ do: 'delegate', attempt: 2 });
  expect(basisOf(both)).toEqual({ a: 'assumed', b: 'person' });
});

test('a fact goes back to its author once, without a person, and is open the second time (R-ASK-1)', () => {
  const fact = question('load', { kind: 'fact', recommended: '10' });
  const once = after(...started(), ...asks(1, fact));
  expect(next(once)).toMatchObject({ do: 'delegate', attempt: 2 });
  expect(basisOf(once)).toEqual({ load: 'look-up' });
  const twice = after(...started(), ...asks(1, fact), ...asks(2, fact));
  expect(next(twice)).toMatchObject({ do: 'delegate', attempt: 3 });
  expect(basisOf(twice)).toEqual({ load: 'open' });
  expect(progressOf(twice, TASK).failures).toEqual([]);
});

test('of more than 8 questions the rest is assumed, and none is dropped (R-ASK-1)', () => {
  const many = Array.from({ length: 12 }, (_, at) => question(`q${at}`, at === 11 ? {} : { recommended: 'x' }));
  const state = after(...started(), ...asks(1, ...many));
  expect(next(state)).toMatchObject({
    wants: { questions: many.slice(0, 8) },
    reason: expect.stringContaining('Not asked: 3 assumed as recommended, 1 left open.'),
  });
  expect(basisOf(state)).toEqual({ q8: 'assumed', q9: 'assumed', q10: 'assumed', q11: 'open' });
});

test.each([
  ['by its id', question('a', { ask: 'Other words?' })],
  ['by its text', question('b', { ask: 'what  of A?' })],
])('what was settled is not asked again, known %s: the attempt fails (R-ASK-3)', (_how, again) => {
  const answered = [...asks(1, question('a')), resumed([{ task: TASK, question: 'a', answer: 'z' }])];
  const state = after(...started(), ...answered, ...returns(2, [again]));
  expect(progressOf(state, TASK)).toMatchObject({ at: 'failed', blame: 'task', failure: { layer: 'signal' } });
  const before = after(...started({}, { decisions: ['[a] What of a? Answer: z'] }), ...returns(1, [again]));
  expect(progressOf(before, TASK)).toMatchObject({ at: 'failed', blame: 'task' });
  const mixed = after(...started(), ...answered, ...asks(2, ...[again, question('c')].slice(1)));
  expect(next(mixed)).toMatchObject({ wants: { questions: [{ id: 'c' }] } });
});

test('an id that is used again for another question takes the old answer only as an assumption that the gate lists (R-ASK-3)', () => {
  const other = question('a', { ask: 'Which port?' });
  const answered = [...asks(1, question('a')), resumed([{ task: TASK, question: 'a', answer: 'z' }])];
  const alone = after(...started(), ...answered, ...returns(2, [other]));
  expect(progressOf(alone, TASK)).toMatchObject({ at: 'failed', failure: { text: expect.stringContaining('new id') } });
  const noted = { id: 'a', question: 'Which port?', answer: 'z', basis: 'assumed' };
  expect(progressOf(alone, TASK).answered).toContainEqual(noted);
  const before = after(
    ...started({}, { decisions: ['[a] What of a? Answer: z'] }),
    ...returns(1, [other, question('c')]),
  );
  expect(progressOf(before, TASK).answered).toEqual([noted]);
  const again = after(...started(), ...answered, ...returns(2, [question('a')]));
  expect(progressOf(again, TASK).answered).toMatchObject([{ question: 'What of a?', answer: 'z' }]);
});

test('after three rounds nothing is asked any more: it is assumed, and the attempt fails (R-ASK-1)', () => {
  const answers = ['a', 'b', 'c'].map((id) => resumed([{ task: TASK, question: id, answer: 'z' }]));
  const rounds = ['a', 'b', 'c'].flatMap((id, at) => [...asks(at + 1, question(id)), ...answers.slice(at, at + 1)]);
  const state = after(...started(), ...rounds, ...returns(4, [question('d', { recommended: 'x' })]));
  expect(progressOf(state, TASK)).toMatchObject({ at: 'failed', blame: 'task' });
  expect(basisOf(state)).toMatchObject({ d: 'assumed' });
});

test.each([
  [{ question: 'a', answer: 'z' }, 'person'],
  [{ match: 'OF A', answer: 'z' }, 'person'],
  [{ question: 'a', answer: 'ok' }, undefined],
  [{ answer: 'z' }, undefined],
  [{ task: 'research', answer: 'z' }, undefined],
  [{ task: 'design', question: 'a', answer: 'z' }, undefined],
])('the answer %j that was given before is one to this question: %s (R-ASK-2)', (rule, basis) => {
  expect(basisOf(after(...started({ answers: [rule] }), ...asks(1, question('a'))))).toEqual(basis ? { a: basis } : {});
});

test('recommendations are taken where that was asked for; what has none is asked (R-ASK-2)', () => {
  const asked = [question('a', { recommended: 'x' }), question('b')];
  const state = after(...started({ assumes: true }), ...asks(1, ...asked));
  expect(basisOf(state)).toEqual({ a: 'assumed' });
  expect(next(state)).toMatchObject({ wants: { questions: [{ id: 'b' }] } });
});

test('without gates no one is asked (R-ASK-1, R-PLAN-3)', () => {
  const asked = [question('a', { recommended: 'x' }), question('b')];
  const state = after(...started({}, { isQuick: true }), ...asks(1, ...asked));
  expect(next(state)).toMatchObject({ do: 'delegate', attempt: 2 });
  expect(basisOf(state)).toEqual({ a: 'assumed', b: 'open' });
});

test('a list that cannot be read asks no one, and the failure says why (R-ASK-1)', () => {
  const state = after(...started(), ...returns(1, { malformed: 'the list is empty' }));
  expect(progressOf(state, TASK)).toMatchObject({
    at: 'failed',
    blame: 'task',
    failure: { text: expect.stringContaining('the list is empty') },
  });
});

test('the gate lists what was assumed and what stays open (R-ASK-1, R-ASK-2)', () => {
  const at = { task: TASK, attempt: 2 };
  const state = after(
    ...started({}, { isQuick: true }),
    ...asks(1, question('a', { recommended: 'x' }), question('b')),
    ...returns(2, undefined).map((event) =>
      event.type === 'agent-returned' ? { ...event, answer: { signal: 'positive', excerpt: '' } as const } : event,
    ),
    { type: 'effect-started', effect: { do: 'check-draft', ...at, lane: LANE } },
    { type: 'draft-checked', ...at, sha256: 'h', problems: [] },
    { type: 'effect-started', effect: { do: 'record-draft', ...at, lane: LANE } },
    { type: 'draft-recorded', ...at, sha256: 'h', inputs: {}, head: 'c2' },
  );
  expect(next(state)).toHaveProperty(
    'reason',
    expect.stringMatching(
      /no person confirmed:\n {2}\[a\] What of a\? Assumed: x\nOpen questions:\n {2}\[b\] What of b\? Open\./,
    ),
  );
});

test('what two authors ask alike is one question; an id that means another question keeps the second from being asked (R-ASK-1, R-ASK-3)', () => {
  const own = after(...started(), ...asks(1, question('a')));
  const other = { ...progressOf(own, TASK), at: 'asking', question: '', questions: [question('a')] } as const;
  const [task] = own.tasks;
  const both = { ...own, tasks: [...own.tasks, ...(task ? [{ ...task, key: 'more', id: 'more' }] : [])] };
  const asking = { ...both, progress: new Map(both.progress).set('more', other) };
  expect(questionsAsked(asking)).toMatchObject([{ id: 'a', task: TASK }]);
  const taken = afterQuestions(asking, 'more', {
    begun: other,
    questions: [question('a', { ask: 'Something else?' })],
  });
  expect(taken).toMatchObject({ at: 'waiting', answered: [{ id: 'a', basis: 'open' }] });
});
