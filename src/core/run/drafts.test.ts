import { expect, test } from 'vitest';
import { planned } from '../plan/data/planned-task.ts';
import { stepPlan } from '../planning/step-plan.ts';
import { stepFor } from '../planning/steps.ts';
import { defaultPolicy } from '../policy.ts';
import { nothingCarried } from './data/carried.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { fold } from './evolve.ts';
import { measuredOf } from './measurement.ts';
import { next } from './next.ts';

const PLANNING = { spec: 'demo', path: 'specs/demo', goal: 'g', goalClass: 'mid-sized', workflow: 'tdd' } as const;
const BEFORE = { branch: 'main', head: 'c0', uncommitted: [] };
const AT = { task: 'research', attempt: 1 } as const;
const LANE = { kind: 'tree' } as const;

function started(more: object = {}): readonly RunEvent[] {
  const plan = stepPlan([{ step: stepFor('research', true), isDone: false, commit: 'c' }], PLANNING);
  const tasks = plan.tasks.map((task) => planned(task, ''));
  return [
    {
      type: 'run-started',
      policy: { ...defaultPolicy(1), maxTaskIterations: 1 },
      tasks,
      agents: 'a',
      carried: nothingCarried,
      globalIteration: 0,
      planning: { ...PLANNING, ...more },
    },
    { type: 'effect-started', effect: { do: 'prepare' } },
    { type: 'run-prepared', branch: 'feat/demo', head: 'c1', foreign: [], notes: [] },
    { type: 'effect-started', effect: { do: 'delegate', ...AT, role: 'researcher', base: 'c1', lane: LANE } },
    {
      type: 'agent-returned',
      ...AT,
      how: 'completed',
      message: '',
      answer: { signal: 'positive', excerpt: '' },
      usage: {},
      durationMs: 1,
    },
  ];
}

function after(events: readonly RunEvent[]): RunState {
  const state = fold(events);
  if (state === undefined) throw new Error('There is no event.');
  return state;
}

const checked = (
  problems: readonly ('error' | 'finding')[],
  elsewhere: readonly string[] = [],
): readonly RunEvent[] => [
  { type: 'effect-started', effect: { do: 'check-draft', ...AT, lane: LANE } },
  {
    type: 'draft-checked',
    ...AT,
    sha256: 'h1',
    problems: problems.map((severity) => ({ severity, code: 'x', file: 'f', line: 3, message: 'm', hint: 'h' })),
    ...(elsewhere.length > 0 && { elsewhere }),
  },
];

test('a draft is checked, recorded, and then the run ends with the gate (R-PLAN-2, R-GATE-1)', () => {
  expect(next(after(started()))).toMatchObject({ do: 'check-draft', task: 'research' });
  const accepted = [...started(), ...checked([])];
  expect(next(after(accepted))).toMatchObject({ do: 'record-draft' });
  const recorded: readonly RunEvent[] = [
    ...accepted,
    { type: 'effect-started', effect: { do: 'record-draft', ...AT, lane: LANE } },
    { type: 'draft-recorded', ...AT, sha256: 'h1', inputs: {}, commit: 'c2', head: 'c2' },
  ];
  expect(next(after(recorded))).toMatchObject({
    do: 'finish',
    result: 'waiting',
    wants: { gate: { artifact: 'research' } },
    reason: expect.stringContaining('specs/demo/research.md is ready and waits for your approval.'),
  });
});

test('without a gate the run is complete once every document is recorded (R-PLAN-3)', () => {
  const events: readonly RunEvent[] = [
    ...started(),
    ...checked([]),
    { type: 'effect-started', effect: { do: 'record-draft', ...AT, lane: LANE } },
    { type: 'draft-recorded', ...AT, sha256: 'h1', inputs: {}, commit: 'c2', head: 'c2' },
  ];
  const ungated = events.map((event): RunEvent => {
    if (event.type !== 'run-started') return event;
    return { ...event, tasks: event.tasks.map((task) => ({ ...task, step: stepFor('research', false) })) };
  });
  expect(next(after(ungated))).toEqual({ do: 'finish', result: 'completed', reason: 'Every document is recorded.' });
});

test.each([
  ['an error', checked(['error']), 'draft'],
  ['a finding of the first round', checked(['finding']), 'draft'],
  ['a change elsewhere', checked([], ['src/x.ts']), 'scope'],
] as const)('%s sends a draft back (R-PLAN-2)', (_what, events, layer) => {
  const state = after([...started(), ...events]);
  expect(state.progress.get('research')).toMatchObject({ at: 'failed', failure: { layer } });
  expect(next(state)).toMatchObject({ do: 'set-aside', keepChanges: true });
});

test('without a gate on the way a failure takes away what was made, again after a crash in the middle (R-PLAN-3)', () => {
  const stuck: readonly RunEvent[] = [
    ...started({ isQuick: true, before: BEFORE }),
    ...checked(['error']),
    { type: 'effect-started', effect: { do: 'set-aside', ...AT, lane: LANE, keepChanges: true } },
    { type: 'work-set-aside', ...AT, repaired: [] },
  ];
  expect(next(after(stuck))).toEqual({ do: 'roll-back' });
  const rolling: readonly RunEvent[] = [...stuck, { type: 'effect-started', effect: { do: 'roll-back' } }];
  expect(next(after(rolling))).toBeUndefined();
  expect(next(after([...rolling, { type: 'run-resumed', head: 'c0' }]))).toEqual({ do: 'roll-back' });
  const removed: readonly RunEvent[] = [...rolling, { type: 'drafts-removed', kept: ['r'], restored: [] }];
  expect(next(after(removed))).toMatchObject({
    ...{ do: 'finish', result: 'stuck' },
    reason: expect.stringMatching(/state the goal more clearly, or choose another agent\.$/),
  });
  expect(next(after([...removed, { type: 'run-resumed', head: 'c0' }]))).toMatchObject({
    do: 'finish',
    result: 'stuck',
  });
});

test('an attempt that a crash cut off does not count: nothing that was made is taken away for it (R-PLAN-3)', () => {
  const crashed: readonly RunEvent[] = [
    ...started({ isQuick: true, before: BEFORE }).slice(0, -1),
    { type: 'run-resumed', head: 'c1' },
    { type: 'effect-started', effect: { do: 'set-aside', ...AT, lane: LANE, keepChanges: false } },
    { type: 'work-set-aside', ...AT, repaired: [] },
  ];
  expect(next(after(crashed))).toMatchObject({ do: 'delegate', task: 'research', attempt: 2 });
});

test.each([{}, { isQuick: true }])(
  'a research that advises against the goal is a gate in every mode: %j (R-STOP-1)',
  (mode) => {
    const [first, ...rest] = started(mode);
    const withoutGate =
      first?.type === 'run-started' ? first.tasks.map((one) => ({ ...one, step: stepFor('research', false) })) : [];
    const state = after([
      { ...first, tasks: withoutGate } as RunEvent,
      ...rest,
      ...checked([]).map((event) =>
        event.type === 'draft-checked' ? { ...event, advisesAgainst: true as const } : event,
      ),
      { type: 'effect-started', effect: { do: 'record-draft', ...AT, lane: LANE } },
      { type: 'draft-recorded', ...AT, sha256: 'h1', inputs: {}, commit: 'c2', head: 'c2' },
    ]);
    expect(next({ ...state, policy: { ...state.policy, review: 'off' } })).toMatchObject({
      do: 'finish',
      result: 'waiting',
      wants: { gate: { artifact: 'research' } },
      reason: expect.stringContaining('do not build this'),
    });
  },
);

const REPRODUCTION = { command: 'npm test -- a', when: 'before' } as const;

function reproducing(exitCode: number, more: object = {}): readonly RunEvent[] {
  const [first, ...rest] = started(more);
  if (first?.type !== 'run-started') return [];
  return [
    { ...first, policy: { ...first.policy, reproduction: REPRODUCTION } },
    ...rest.slice(0, 2),
    { type: 'effect-started', effect: { do: 'reproduce', ...REPRODUCTION } },
    { type: 'reproduction-run', ...REPRODUCTION, how: 'exited', exitCode, output: 'o', durationMs: 1 },
  ];
}

test('the command that shows a defect runs before the first document, again after a crash in the middle (R-BUG-1)', () => {
  const events = reproducing(1);
  const [prepared, running] = [events.slice(0, 3), events.slice(0, 4)];
  expect(next(after(prepared))).toEqual({ do: 'reproduce', ...REPRODUCTION });
  expect(next(after(running))).toBeUndefined();
  const policy = after(prepared).policy;
  expect(next(after([...running, { type: 'run-resumed', head: 'c1', policy }]))).toMatchObject({ do: 'reproduce' });
  expect(next(after(events))).toMatchObject({ do: 'delegate', task: 'research' });
});

test.each([{}, { isQuick: true, before: BEFORE }])(
  'a defect that is not seen before its fix waits for a person in every mode: %j (R-BUG-1)',
  (mode) => {
    expect(next(after(reproducing(0, mode)))).toMatchObject({
      do: 'finish',
      result: 'waiting',
      reason: expect.stringContaining('The defect was not reproduced: `npm test -- a`: exit code 0.'),
    });
  },
);

test('the quality commands run once before the first document, again after a crash in the middle, and never twice (R-PLAN-2)', () => {
  const commands = [{ kind: 'unit', command: 'npm test', from: 'package.json' }] as const;
  const [first, ...rest] = started();
  if (first?.type !== 'run-started') return;
  const begun = { ...first, policy: { ...first.policy, measures: commands } };
  const prepared = [begun, ...rest.slice(0, 2)];
  const running: readonly RunEvent[] = [...prepared, { type: 'effect-started', effect: { do: 'measure', commands } }];
  expect(next(after(prepared))).toEqual({ do: 'measure', commands });
  expect(next(after(running))).toBeUndefined();
  const { policy } = begun;
  expect(next(after([...running, { type: 'run-resumed', head: 'c1', policy }]))).toMatchObject({ do: 'measure' });
  expect(next(after([...running, { type: 'measuring-cancelled' }]))).toMatchObject({ do: 'measure' });
  const measured = [{ ...commands[0], how: 'exited', exitCode: 0, durationMs: 1 }] as const;
  const done = after([...running, { type: 'commands-measured', measured }]);
  expect(next(done)).toMatchObject({ do: 'delegate', task: 'research' });
  expect(measuredOf(done)).toEqual(measured);
  expect(next(after([...prepared, { type: 'stop-requested', signal: 'SIGINT' }]))).toMatchObject({ do: 'finish' });
});

test('a gate says how many Verify commands of a plan were not tried, as no person has trusted them (R-PROBE-1)', () => {
  const events = checked([]).map((event) => (event.type === 'draft-checked' ? { ...event, untried: 2 } : event));
  const recorded: RunEvent = { type: 'draft-recorded', ...AT, sha256: 'h1', inputs: {}, commit: 'c2', head: 'c2' };
  const start: RunEvent = { type: 'effect-started', effect: { do: 'record-draft', ...AT, lane: LANE } };
  expect(next(after([...started(), ...events, start, recorded]))).toMatchObject({
    do: 'finish',
    reason: expect.stringMatching(/not trusted 2 Verify commands of it.*specloop validate \S+ --probe/),
  });
});
