import { describe, expect, test } from 'vitest';
import type { Policy } from '../policy.ts';
import type { Evidence } from '../verify/evidence.ts';
import type { Answer } from './data/answer.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { evolve, fold } from './evolve.ts';
import { next } from './next.ts';
import {
  checked,
  checking,
  committed,
  committing,
  delegated,
  failedAttempt,
  fine,
  lane,
  plannedTask,
  returned,
  setAside,
  settingAside,
  silent,
  started,
  yes,
} from './test-rig.ts';

const given = (...events: (RunEvent | RunEvent[])[]): RunState => {
  const state = fold(events.flat());
  if (!state) throw new Error('no event');
  return state;
};
const two = [plannedTask('1.1'), plannedTask('1.2')];

test.each([
  ['an event', { type: 'from-the-future' }, 'Event 3 of the run\'s journal, "from-the-future", is not understood'],
  ['a task', { ...returned('9.9') }, 'Event 3 of the run\'s journal, "agent-returned", is not understood'],
])('%s of a newer version is told as such, not as a bug (R-FILE-7)', (_, event, message) => {
  expect(() => fold([...started(two).slice(0, 2), event as RunEvent])).toThrow(
    expect.objectContaining({ name: 'UserError', message: expect.stringContaining(message) }),
  );
});

describe('the way of one task', () => {
  test('a run begins by preparing the branch and the spec, and starts nothing meanwhile (R-START-6)', () => {
    expect(next(given(started(two).slice(0, 1)))).toEqual({ do: 'prepare' });
    expect(next(given(started(two).slice(0, 2)))).toBeUndefined();
  });

  test('the first open task is delegated to the executor, a VERIFY task to the verifier (R-DEL-2)', () => {
    expect(next(given(started(two)))).toEqual({
      do: 'delegate',
      task: '1.1',
      attempt: 1,
      role: 'executor',
      base: 'c0',
      lane,
    });
    expect(next(given(started([plannedTask('V1', { verify: true })])))).toMatchObject({ role: 'verifier' });
  });

  test('a plan half done starts at the first open task (R-START-4)', () => {
    expect(next(given(started([plannedTask('1.1', { checked: true }), plannedTask('1.2')])))).toMatchObject({
      do: 'delegate',
      task: '1.2',
    });
  });

  test('a claim is checked, accepted work is committed, and only then the next task begins (R-ADV-1)', () => {
    const events = started(two);
    events.push(delegated('1.1'), returned('1.1'));
    expect(next(given(events))).toEqual({ do: 'check', task: '1.1', attempt: 1, lane });
    events.push(checking('1.1'), checked('1.1'));
    expect(next(given(events))).toEqual({ do: 'commit', task: '1.1', attempt: 1, lane });
    events.push(committing('1.1'), committed('1.1', 'c1'));
    expect(next(given(events))).toEqual({
      do: 'delegate',
      task: '1.2',
      attempt: 1,
      role: 'executor',
      base: 'c1',
      lane,
    });
  });

  test('while an effect is under way nothing else starts', () => {
    expect(next(given(started(two), delegated('1.1')))).toBeUndefined();
    expect(next(given(started(two), delegated('1.1'), returned('1.1'), checking('1.1')))).toBeUndefined();
  });

  test('when every task is recorded the run is finished as completed, and not before (R-RETRY-5)', () => {
    const all = [
      delegated('1.1'),
      returned('1.1'),
      checking('1.1'),
      checked('1.1'),
      committing('1.1'),
      committed('1.1', 'c1'),
    ];
    expect(next(given(started([plannedTask('1.1')]), all))).toMatchObject({ do: 'finish', result: 'completed' });
    expect(next(given(started([plannedTask('1.1', { checked: true })])))).toMatchObject({
      do: 'finish',
      result: 'completed',
    });
  });
});

describe('claims that are not believed', () => {
  const returnedWith = (answer: Answer) => given(started(two), delegated('1.1'), returned('1.1', 1, answer));
  test('no signal is no completion: the work is set aside (R-VER-1)', () => {
    expect(next(returnedWith(silent))).toEqual({ do: 'set-aside', task: '1.1', attempt: 1, keepChanges: false, lane });
  });
  test('a negative signal is a failure whatever else is there (R-DEL-4)', () => {
    expect(next(returnedWith({ ...yes, signal: 'negative' }))).toMatchObject({ do: 'set-aside' });
  });
  test('an admission beside the claim is a contradiction (R-VER-2)', () => {
    const state = returnedWith({ ...yes, admission: 'The last step requires manual setup.' });
    expect(state.progress.get('1.1')).toMatchObject({ at: 'failed', failure: { layer: 'contradiction' } });
    expect(JSON.stringify(state.progress.get('1.1'))).toContain(
      'CONTRADICTION: claimed completion while admitting failure',
    );
  });
  test('an agent that did not complete is not looked at, whatever it printed (R-DEL-7)', () => {
    const crashed: RunEvent = {
      type: 'agent-returned',
      task: '1.1',
      attempt: 1,
      how: 'failed',
      message: 'It exited with 1.',
      answer: yes,
      usage: {},
      durationMs: 1,
    };
    expect(next(given(started(two), delegated('1.1'), crashed))).toMatchObject({ do: 'set-aside' });
  });
  test.each([
    ['another box was ticked', { plan: { violations: ['1.2 was ticked'], additions: [], ownTicked: false } }],
    ['the state file was written', { stateFileTouched: true }],
    ['the branch was left', { repository: { branch: 'elsewhere', head: 'c0', keepsHistory: true } }],
    ['history was rewritten', { repository: { branch: 'feat/demo', head: 'c9', keepsHistory: false } }],
    ['a protected file was changed', { protectedFiles: ['ci.yml'] }],
    [
      'a rebase was left half done',
      { repository: { branch: 'feat/demo', head: 'c0', keepsHistory: true, operation: 'rebase' } },
    ],
  ])('evidence is rejected when %s (R-VER-3)', (_what, more) => {
    const state = given(
      started(two),
      delegated('1.1'),
      returned('1.1'),
      checking('1.1'),
      checked('1.1', fine('c0', more as Partial<Evidence>)),
    );
    expect(state.progress.get('1.1')).toMatchObject({ at: 'failed', failure: { layer: 'integrity' } });
  });
  test('a Verify command decides by its exit code, and its output is the reason (R-VER-5)', () => {
    const tasks = [plannedTask('1.1', { verifyKind: 'command', verifyCommand: 'npm test' })];
    const verify = (exitCode: number) => ({
      verify: [{ command: 'npm test', how: 'exited' as const, exitCode, output: 'sum is 41', durationMs: 1 }],
    });
    const ends = (more: Partial<Evidence>) =>
      given(
        started(tasks),
        delegated('1.1'),
        returned('1.1'),
        checking('1.1'),
        checked('1.1', fine('c0', more)),
      ).progress.get('1.1');
    expect(ends(verify(0))).toMatchObject({ at: 'accepted' });
    expect(ends(verify(3))).toMatchObject({
      at: 'failed',
      failure: { layer: 'verify', text: 'VERIFY: `npm test` exited with 3.\nsum is 41' },
    });
    expect(ends({ verify: [] })).toMatchObject({ at: 'failed', failure: { layer: 'verify' } });
  });
  test('changes outside Files are reported, or rejected when asked (R-VER-6)', () => {
    const ends = (scope: Policy['scope']) =>
      given(
        started(two, { scope }),
        delegated('1.1'),
        returned('1.1'),
        checking('1.1'),
        checked('1.1', fine('c0', { outOfScope: ['b.ts'] })),
      ).progress.get('1.1')?.at;
    expect([ends('off'), ends('warn'), ends('enforce')]).toEqual(['accepted', 'accepted', 'failed']);
  });
  test('a commit hook that says no is a failed attempt with its words (R-ADV-1)', () => {
    const refused: RunEvent = { type: 'commit-refused', task: '1.1', attempt: 1, output: 'lint: BAD word' };
    const state = given(
      started(two),
      delegated('1.1'),
      returned('1.1'),
      checking('1.1'),
      checked('1.1'),
      committing('1.1'),
      refused,
    );
    expect(state.progress.get('1.1')).toMatchObject({
      at: 'failed',
      failure: { layer: 'commit', text: expect.stringContaining('lint: BAD word') },
    });
  });
});

describe('trying again and stopping', () => {
  test('a failed attempt is followed by a fresh one that learns why (R-RETRY-1)', () => {
    const state = given(started(two), failedAttempt('1.1', 1));
    expect(next(state)).toMatchObject({ do: 'delegate', task: '1.1', attempt: 2 });
    expect(state.progress.get('1.1')?.failures[0]?.failure.text).toContain('NO SIGNAL');
  });
  test('after the last attempt the run is stuck, says how often it tried and where the work is (R-RETRY-1, R-RETRY-4)', () => {
    const kept = { ref: 'refs/specloop/kept/x', treeId: 't1' };
    const effect = next(
      given(started(two, { maxTaskIterations: 2 }), failedAttempt('1.1', 1), failedAttempt('1.1', 2, kept)),
    );
    expect(effect).toMatchObject({
      do: 'finish',
      result: 'stuck',
      reason: expect.stringMatching(
        /^ERROR: Max retries reached for task 0 after 2 attempts[\s\S]*NO SIGNAL[\s\S]*refs\/specloop\/kept\/x/,
      ),
    });
  });
  test('the same failure three times without any change is a stall (R-RETRY-3)', () => {
    const effect = next(
      given(
        started(two, { maxTaskIterations: 20 }),
        failedAttempt('1.1', 1),
        failedAttempt('1.1', 2),
        failedAttempt('1.1', 3),
      ),
    );
    expect(effect).toMatchObject({
      do: 'finish',
      result: 'stuck',
      reason: expect.stringMatching(/^ERROR: Stalled at task 1\.1: the same failure 3 times/),
    });
  });
  test('failures that left work are no stall (R-RETRY-3)', () => {
    const kept = { ref: 'r', treeId: 't' };
    expect(
      next(
        given(
          started(two, { maxTaskIterations: 20 }),
          failedAttempt('1.1', 1, kept),
          failedAttempt('1.1', 2, kept),
          failedAttempt('1.1', 3, kept),
        ),
      ),
    ).toMatchObject({ do: 'delegate', attempt: 4 });
  });
  test('every attempt counts towards the cap of the run (R-RETRY-2)', () => {
    const effect = next(
      given(started(two, { maxGlobalIterations: 2 }), failedAttempt('1.1', 1), failedAttempt('1.1', 2)),
    );
    expect(effect).toMatchObject({
      do: 'finish',
      result: 'limit',
      reason: expect.stringContaining('--max-global-iterations'),
    });
  });
  test('a budget stops the run at a task boundary (R-DEL-8)', () => {
    const spent: RunEvent = {
      ...(returned('1.1') as Extract<RunEvent, { type: 'agent-returned' }>),
      usage: { costUsd: 2 },
    };
    const events = [...started(two, { maxCostUsd: 1 }), delegated('1.1'), spent];
    expect(next(given(events))).toMatchObject({ do: 'check' });
    events.push(checking('1.1'), checked('1.1'), committing('1.1'), committed('1.1', 'c1'));
    expect(next(given(events))).toMatchObject({ do: 'finish', result: 'limit' });
  });
  test('a usage limit is waited for and costs no attempt (R-DEL-7)', () => {
    const limited: RunEvent = {
      type: 'agent-returned',
      task: '1.1',
      attempt: 1,
      how: 'rate-limited',
      message: 'limit',
      answer: silent,
      usage: {},
      durationMs: 1,
      resetsAt: '2026-01-01T00:00:00Z',
    };
    const events = [
      ...started(two, { maxTaskIterations: 1 }),
      delegated('1.1'),
      limited,
      settingAside('1.1'),
      setAside('1.1'),
    ];
    const effect = next(given(events));
    expect(effect).toEqual({ do: 'wait', task: '1.1', attempt: 1, pause: { until: '2026-01-01T00:00:00Z' } });
    if (!effect) return;
    events.push({ type: 'effect-started', effect }, { type: 'waited', task: '1.1', attempt: 1 });
    expect(next(given(events))).toMatchObject({ do: 'delegate', task: '1.1', attempt: 1 });
  });
  test.each(['rate-limited', 'cancelled'] as const)(
    'an attempt that ended as %s was cut short and counts towards no limit (R-RETRY-2)',
    (how) => {
      const ended: RunEvent = {
        type: 'agent-returned',
        task: '1.1',
        attempt: 1,
        how,
        message: '',
        answer: silent,
        usage: {},
        durationMs: 1,
      };
      expect(given([...started(two), delegated('1.1')]).globalIteration).toBe(1);
      expect(given([...started(two), delegated('1.1'), ended]).globalIteration).toBe(0);
    },
  );
  test('missing authentication stops the run at once (R-DEL-7)', () => {
    const unauthenticated: RunEvent = {
      type: 'agent-returned',
      task: '1.1',
      attempt: 1,
      how: 'unauthenticated',
      message: 'Not logged in.',
      answer: silent,
      usage: {},
      durationMs: 1,
    };
    expect(
      next(given(started(two), delegated('1.1'), unauthenticated, settingAside('1.1'), setAside('1.1'))),
    ).toMatchObject({ do: 'finish', result: 'stuck', reason: 'ERROR: Not logged in.' });
  });
  test('a stop lets what is under way come to rest, keeps the work, and starts nothing new (R-UX-3)', () => {
    const cancelled: RunEvent = {
      type: 'agent-returned',
      task: '1.1',
      attempt: 1,
      how: 'cancelled',
      message: 'stopped',
      answer: silent,
      usage: {},
      durationMs: 1,
    };
    const events = [...started(two), delegated('1.1'), { type: 'stop-requested', signal: 'SIGINT' } as const];
    expect(next(given(events))).toBeUndefined();
    events.push(cancelled);
    expect(next(given(events))).toMatchObject({ do: 'set-aside' });
    events.push(settingAside('1.1'), setAside('1.1'));
    expect(next(given(events))).toMatchObject({ do: 'finish', result: 'interrupted' });
  });
});

describe('resuming', () => {
  const resumed = (more: Partial<Extract<RunEvent, { type: 'run-resumed' }>> = {}): RunEvent => ({
    type: 'run-resumed',
    head: 'c0',
    ...more,
  });
  test('an attempt that was at work is set aside and counts (R-ADV-2, R-RETRY-1)', () => {
    const state = given(started(two), delegated('1.1'), resumed());
    expect(next(state)).toMatchObject({ do: 'set-aside', task: '1.1', attempt: 1 });
    expect(next(given(started(two), delegated('1.1'), resumed(), settingAside('1.1'), setAside('1.1')))).toMatchObject({
      do: 'delegate',
      attempt: 2,
    });
  });
  test('an agent that had returned is not run again: its work is checked (R-ADV-2)', () => {
    expect(next(given(started(two), delegated('1.1'), returned('1.1'), resumed()))).toEqual({
      do: 'check',
      task: '1.1',
      attempt: 1,
      lane,
    });
    expect(next(given(started(two), delegated('1.1'), returned('1.1'), checking('1.1'), resumed()))).toEqual({
      do: 'check',
      task: '1.1',
      attempt: 1,
      lane,
    });
  });
  test('a commit that was made is the record; the task is not done twice (R-ADV-2)', () => {
    const begun = [
      ...started(two),
      delegated('1.1'),
      returned('1.1'),
      checking('1.1'),
      checked('1.1'),
      committing('1.1'),
    ];
    expect(next(given(begun, resumed({ head: 'c1', recorded: { task: '1.1', commit: 'c1' } })))).toMatchObject({
      do: 'delegate',
      task: '1.2',
      base: 'c1',
    });
    expect(next(given(begun, resumed()))).toMatchObject({ do: 'check', task: '1.1' });
  });
  test('what a person ticked between runs is done (R-FILE-7)', () => {
    const tasks = [plannedTask('1.1', { checked: true }), plannedTask('1.2')];
    expect(next(given(started(two), resumed({ tasks })))).toMatchObject({ do: 'delegate', task: '1.2' });
  });
  test('attempts go on counting after an interruption (R-RETRY-1)', () => {
    const events = [
      ...started(two, { maxTaskIterations: 2 }),
      ...failedAttempt('1.1', 1),
      resumed(),
      ...failedAttempt('1.1', 2),
    ];
    expect(next(given(events))).toMatchObject({ do: 'finish', result: 'stuck' });
  });
  test("a person's commits while nothing was in flight stay: the next attempt begins on them (R-RETRY-4)", () => {
    expect(next(given(started(two), resumed({ head: 'c7' })))).toMatchObject({ do: 'delegate', base: 'c7' });
  });
  test('a halted run goes on where it was (R-UX-3)', () => {
    const halted: RunEvent = { type: 'run-halted', result: 'interrupted', reason: 'Stopped by SIGTERM.' };
    expect(next(given(started(two), { type: 'stop-requested', signal: 'SIGTERM' }, halted, resumed()))).toMatchObject({
      do: 'delegate',
      task: '1.1',
    });
  });
});

test('the same journal folds to the same state and the same next effect (promise of determinism)', () => {
  const events = [...started(two), ...failedAttempt('1.1', 1), delegated('1.1', 2), returned('1.1', 2)];
  expect(fold(structuredClone(events))).toEqual(fold(events));
  expect(evolve(fold(events), checking('1.1', 2))).toEqual(fold([...events, checking('1.1', 2)]));
});

describe('the regression gate', () => {
  const phased = [plannedTask('1.1', { phase: 'A' }), plannedTask('2.1', { phase: 'B' })];
  const baseline: RunEvent[] = [
    { type: 'effect-started', effect: { do: 'test', when: 'baseline', command: 'npm test', known: [] } },
    { type: 'tests-run', when: 'baseline', failures: ['old'], output: '', durationMs: 1 },
  ];
  const done = (task: string, commit: string): RunEvent[] => [
    delegated(task),
    returned(task),
    checking(task),
    checked(task),
    committing(task),
    committed(task, commit),
  ];
  const testing: RunEvent = {
    type: 'effect-started',
    effect: { do: 'test', when: 'phase', command: 'npm test', known: ['old'] },
  };
  const ran = (failures: string[]): RunEvent => ({
    type: 'tests-run',
    when: 'phase',
    failures,
    output: '',
    durationMs: 1,
  });

  test('the tests run once before the first task, and without a command never (R-START-7)', () => {
    const begun = started(phased, { testCommand: 'npm test' });
    expect(next(given(begun))).toMatchObject({ do: 'test', when: 'baseline' });
    expect(next(given(begun, baseline))).toMatchObject({ do: 'delegate', task: '1.1' });
    expect(next(given(started(phased)))).toMatchObject({ do: 'delegate' });
  });
  test('they run again at the end of a phase and at the end, knowing what failed before (R-ADV-3)', () => {
    const phaseEnd = [...started(phased, { testCommand: 'npm test' }), ...baseline, ...done('1.1', 'c1')];
    expect(next(given(phaseEnd))).toMatchObject({ do: 'test', when: 'phase', known: ['old'] });
    const end = [...phaseEnd, testing, ran([]), ...done('2.1', 'c2')];
    expect(next(given(end))).toMatchObject({ do: 'test', when: 'end', known: ['old'] });
    expect(next(given(end, testing, ran([])))).toMatchObject({ do: 'finish', result: 'completed' });
  });
  test('what fails anew stops the run with the list (R-ADV-3)', () => {
    const state = given(
      started(phased, { testCommand: 'npm test' }),
      baseline,
      done('1.1', 'c1'),
      testing,
      ran(['login']),
    );
    expect(next(state)).toMatchObject({ do: 'finish', result: 'stuck', reason: expect.stringContaining('- login') });
  });
  test('in recovery mode it becomes a fix task of the newest task, and the tests run again after it (R-REC-1)', () => {
    const policy = { testCommand: 'npm test', recoveryMode: true };
    const broken = [...started(phased, policy), ...baseline, ...done('1.1', 'c1'), testing, ran(['login'])];
    const plan = next(given(broken));
    expect(plan).toMatchObject({ do: 'plan-fix', task: '1.1', fix: '1.1.1' });
    if (!plan) return;
    const fix = plannedTask('1.1.1', { phase: 'A', fixes: '1.1' });
    const planned: RunEvent = {
      type: 'fix-planned',
      task: '1.1',
      attempt: 1,
      inserted: { at: 1, tasks: [fix] },
      error: 'login',
      head: 'c2',
    };
    const fixing = [...broken, { type: 'effect-started', effect: plan } as const, planned];
    expect(next(given(fixing))).toMatchObject({ do: 'delegate', task: '1.1.1', base: 'c2' });
    expect(next(given(fixing, done('1.1.1', 'c3')))).toMatchObject({ do: 'test', when: 'phase' });
  });
});
