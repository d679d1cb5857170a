import { expect, test } from 'vitest';
import type { Policy } from '../policy.ts';
import type { RunEvent } from './data/event.ts';
import { progressOf, type RunState } from './data/state.ts';
import { evolve, fold } from './evolve.ts';
import { holdsWork } from './holds-work.ts';
import { next } from './next.ts';
import { delegated, plannedTask, returned, setAside, settingAside, silent, started, yes } from './test-rig.ts';

const asking = (question: string, attempt = 1) => returned('1.1', attempt, { ...silent, question });
const kept = { ref: 'refs/specloop/kept/demo/r/1.1/1', treeId: 't' };

const asked = (policy: Partial<Policy> = {}, question = 'Which database?'): RunState =>
  fold([
    ...started([plannedTask('1.1'), plannedTask('1.2')], policy),
    delegated('1.1'),
    asking(question),
    settingAside('1.1'),
    setAside('1.1', 1, kept),
  ]) as RunState;

const again = (state: RunState, attempt: number, event: RunEvent): RunState =>
  [delegated('1.1', attempt), event, settingAside('1.1', attempt), setAside('1.1', attempt)].reduce<RunState>(
    evolve,
    state,
  );

test('a question stops the run for a person, with the work kept, and is no attempt (R-AGT-6, R-UX-4)', () => {
  const state = asked();
  expect(next(state)).toMatchObject({ do: 'finish', result: 'waiting' });
  expect(next(state)).toHaveProperty(
    'reason',
    expect.stringMatching(/1\.1.*Which database\?[\s\S]*refs\/specloop.*\n.*specloop answer 1\.1/),
  );
  expect(state.globalIteration).toBe(0);
  expect(state.progress.get('1.1')).toMatchObject({ at: 'asking', failures: [] });
});

test('the answer goes into every later attempt (R-AGT-6)', () => {
  const answers = [{ task: '1.1', answer: 'Postgres.' }];
  const resumed = evolve(asked(), { type: 'run-resumed', head: 'c0', answers });
  const answered = [{ question: 'Which database?', answer: 'Postgres.' }];
  expect(next(resumed)).toMatchObject({ do: 'delegate', task: '1.1', attempt: 2 });
  expect(resumed.progress.get('1.1')).toMatchObject({ answered });
  expect(again(resumed, 2, returned('1.1', 2, silent)).progress.get('1.1')).toMatchObject({ attempt: 3, answered });
});

test('a start without an answer asks again, and begins nothing (R-AGT-6)', () => {
  const resumed = evolve(asked(), { type: 'run-resumed', head: 'c0' });
  expect(next(resumed)).toMatchObject({ do: 'finish', result: 'waiting' });
});

test('the same question after its answer is a failed attempt (R-AGT-6)', () => {
  const policy = { answers: [{ task: '1.1', answer: 'Postgres.' }] };
  const repeated = again(asked(policy), 2, asking('which  DATABASE?', 2));
  expect(repeated.progress.get('1.1')).toMatchObject({ at: 'waiting', attempt: 3, failures: [{ attempt: 2 }] });
  expect(again(asked(policy), 2, asking('Which port?', 2)).progress.get('1.1')).toMatchObject({ failures: [] });
});

test.each([
  [{ answer: 'a' }, true],
  [{ match: 'DATABASE', answer: 'a' }, true],
  [{ question: 'which database? ', answer: 'a' }, true],
  [{ question: 'database', answer: 'a' }, false],
  [{ task: '1.2', answer: 'a' }, false],
  [{ task: '1.1', match: 'port', answer: 'a' }, false],
])('the answer %j given before fits a question: %s (R-AGT-6)', (rule, fits) => {
  expect(next(asked({ answers: [rule] }))).toMatchObject(fits ? { do: 'delegate', attempt: 2 } : { do: 'finish' });
});

test('a denied tool waits for a person where the agent did not complete; with a completion it counts nothing (R-AGT-6)', () => {
  const denied = (answer: typeof yes) => ({ ...returned('1.1', 1, answer), denials: ['Bash'] }) as RunEvent;
  const state = (answer: typeof yes) =>
    fold([...started([plannedTask('1.1')]), delegated('1.1'), denied(answer)]) as RunState;
  expect(state(silent).progress.get('1.1')).toMatchObject({
    blame: 'person',
    question: expect.stringContaining('Bash'),
  });
  expect(state(yes).progress.get('1.1')).toMatchObject({ at: 'returned' });
});

test('a question in a batch lets the running members go on, and none begins (R-AGT-6, R-PAR-5)', () => {
  const ids = ['1.1', '1.2', '1.3'];
  const members = ids.map((id) => plannedTask(id, { parallel: true, filesKnown: true, files: [id] }));
  const state = fold([
    ...started(members, { jobs: 2 }),
    { type: 'effect-started', effect: { do: 'open-batch', members: ids, base: 'c0' } },
    { type: 'batch-opened', members: ids, base: 'c0' },
    delegated('1.1'),
    delegated('1.2'),
    asking('Which port?'),
  ] as RunEvent[]) as RunState;
  expect(next(state)).toMatchObject({ do: 'set-aside', task: '1.1' });
  const aside = [settingAside('1.1'), setAside('1.1', 1, kept)].reduce<RunState>(evolve, state);
  expect(next(aside)).toBeUndefined();
});

test('where the answer is there already, the next attempt goes on with the work of the one that asked (R-AGT-6)', () => {
  const keepsChanges = (policy: Partial<Policy>) =>
    next(fold([...started([plannedTask('1.1')], policy), delegated('1.1'), asking('Which port?')]) as RunState);
  expect(keepsChanges({ answers: [{ answer: '8080' }] })).toMatchObject({ do: 'set-aside', keepChanges: true });
  expect(keepsChanges({})).toMatchObject({ do: 'set-aside', keepChanges: false });
});

test('a question counts where completion is claimed as well: the negative one (R-AGT-6, R-AGT-9)', () => {
  const both = fold([
    ...started([plannedTask('1.1')]),
    delegated('1.1'),
    returned('1.1', 1, { ...yes, question: 'Which port?' }),
  ]) as RunState;
  expect(both.progress.get('1.1')).toMatchObject({ at: 'failed', blame: 'person' });
});

test('work that the next attempt goes on with is still a task of the run after a stop, and no file of the user (R-AGT-6, R-ADV-2)', () => {
  const state = asked({ answers: [{ answer: '8080' }] });
  expect(holdsWork(progressOf(state, '1.1'))).toBe(true);
  expect(holdsWork(progressOf(evolve(asked(), { type: 'run-resumed', head: 'c0' }), '1.1'))).toBe(false);
});
