import { expect, test } from 'vitest';
import type { Policy } from '../policy.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { evolve, fold } from './evolve.ts';
import { next } from './next.ts';
import { begin, delegated, plannedTask, returned, setAside, settingAside, silent, started } from './test-rig.ts';

const AT = '2026-11-28T12:00:00Z';
const atMs = Date.parse(AT);

const ended = (how: string, more: object = {}, attempt = 1): RunEvent =>
  ({ ...returned('1.1', attempt, silent), how, message: 'No.', endedAt: AT, ...more }) as RunEvent;

/** A run whose first attempts ended so, each put aside. */
function after(events: readonly RunEvent[], policy: Partial<Policy> = {}): RunState {
  const all = events.flatMap((event) => [
    delegated('1.1', attemptOf(event)),
    event,
    settingAside('1.1', attemptOf(event)),
    setAside('1.1', attemptOf(event)),
  ]);
  let state = fold(started([plannedTask('1.1'), plannedTask('1.2')], policy)) as RunState;
  for (const event of all) {
    if (event.type === 'effect-started' && event.effect.do === 'delegate') state = rested(state);
    state = evolve(state, event);
  }
  return state;
}

/** The state once it has waited for what it wants to wait for. */
function rested(state: RunState): RunState {
  const effect = next(state);
  if (effect?.do !== 'wait') return state;
  return evolve(evolve(state, { type: 'effect-started', effect }), { type: 'waited', task: '1.1', attempt: 1 });
}

test('a usage limit is waited for until its end, and uses no attempt and no iteration (R-AGT-3)', () => {
  const state = after([ended('rate-limited', { resetsAt: '2026-11-28T13:00:00Z' })]);
  expect(next(state)).toEqual({ do: 'wait', task: '1.1', attempt: 1, pause: { until: '2026-11-28T13:00:00Z' } });
  expect(state.globalIteration).toBe(0);
  expect(next(rested(state))).toMatchObject({ do: 'delegate', attempt: 1 });
});

test('a limit whose end is unknown or past is waited for two seconds, then twice as long (R-AGT-3)', () => {
  for (const more of [{}, { resetsAt: '2026-11-28T11:00:00Z' }]) {
    const waits = [1, 2, 3].map((n) => next(after(Array.from({ length: n }, () => ended('rate-limited', more)))));
    const ends = [2000, 4000, 8000].map((ms) => atMs + ms);
    expect(waits.map((effect) => effect?.do === 'wait' && effect.pause)).toEqual(
      ends.map((untilMs) => ({ untilMs, why: 'usage-limit' })),
    );
  }
});

test('a wait that would end later than --max-wait allows ends the run at once, with its end (R-AGT-3, R-UX-4)', () => {
  const state = after([ended('rate-limited', { resetsAt: '2026-11-28T13:00:00Z' })], { maxWaitMs: 60_000 });
  expect(next(state)).toMatchObject({
    do: 'finish',
    result: 'limit',
    reason: expect.stringMatching(/2026-11-28T13:00:00Z.*--max-wait/),
  });
  expect(next(after([ended('rate-limited', { resetsAt: '2026-11-28T18:00:00Z' })]))).toMatchObject({ do: 'wait' });
  expect(next(after([ended('rate-limited', { resetsAt: '2026-11-28T18:00:01Z' })]))).toMatchObject({ do: 'finish' });
});

test('limits that go on count together towards --max-wait (R-AGT-3)', () => {
  const again = Array.from({ length: 5 }, () => ended('rate-limited'));
  expect(next(after(again.slice(1), { maxWaitMs: 31_000 }))).toMatchObject({ do: 'wait' });
  expect(next(after(again, { maxWaitMs: 31_000 }))).toMatchObject({ do: 'finish', result: 'limit' });
});

test('an overloaded service is tried four more times, after 2, 4, 8 and 16 s, before the attempt counts (R-AGT-4)', () => {
  const runs = [1, 2, 3, 4, 5].map((n) => after(Array.from({ length: n }, () => ended('overloaded'))));
  expect(runs.slice(0, 4).map(next)).toEqual(
    [2000, 4000, 8000, 16_000].map((forMs) => ({
      do: 'wait',
      task: '1.1',
      attempt: 1,
      pause: { forMs, why: 'service-failed' },
    })),
  );
  expect(runs.map(({ globalIteration }) => globalIteration)).toEqual([0, 0, 0, 0, 1]);
  expect(runs[4]?.progress.get('1.1')).toMatchObject({ at: 'waiting', attempt: 2, failures: [{ attempt: 1 }] });
});

test('a prompt that was too long fails the attempt, and the next one gets half of it (R-AGT-4)', () => {
  const state = after([ended('context-overflow', { promptBytes: 9001 })]);
  expect(state.progress.get('1.1')).toMatchObject({ at: 'waiting', attempt: 2, promptBytesMax: 4500 });
});

test('a budget that the agent kept to itself ends the run as a limit, not as a failed task (R-DEL-8)', () => {
  expect(next(after([ended('over-budget')], { maxCostUsd: 2 }))).toMatchObject({
    do: 'finish',
    result: 'limit',
    reason: expect.stringMatching(/2 USD.*--max-cost/),
  });
});

test.each(['unauthenticated', 'not-found', 'over-budget'])(
  'after "%s" no further member of a batch begins (R-AGT-4)',
  (how) => {
    const members = ['1.1', '1.2', '1.3'].map((id) =>
      plannedTask(id, { parallel: true, filesKnown: true, files: [id] }),
    );
    const batch = [
      ...started(members, { jobs: 2 }),
      { type: 'effect-started', effect: { do: 'open-batch', members: ['1.1', '1.2', '1.3'], base: 'c0' } },
      { type: 'batch-opened', members: ['1.1', '1.2', '1.3'], base: 'c0' },
      delegated('1.1'),
      delegated('1.2'),
    ] as RunEvent[];
    const { state } = begin(fold([...batch, ended(how)]) as RunState);
    expect([...state.progress.keys()]).toEqual(['1.1', '1.2']);
  },
);

const agents = { roles: { executor: 'claude', verifier: 'claude', reviewer: 'claude' }, fallback: ['codex'] };

test('with a fallback the next agent goes on at once, and the first is back when its limit has passed (R-AGT-3)', () => {
  const limit = ended('rate-limited', { agent: 'claude', resetsAt: '2026-11-28T12:00:03Z' });
  const failed = ended('failed', { agent: 'codex', endedAt: '2026-11-28T12:00:02Z', durationMs: 2000 });
  const late = ended('failed', { agent: 'codex', endedAt: '2026-11-28T12:00:04Z', durationMs: 2000 }, 2);
  expect(next(after([], { agents }))).toMatchObject({ do: 'delegate', agent: 'claude', attempt: 1 });
  expect(next(after([limit], { agents }))).toMatchObject({ do: 'delegate', agent: 'codex', attempt: 1 });
  expect(next(after([limit, failed], { agents }))).toMatchObject({ do: 'delegate', agent: 'codex', attempt: 2 });
  expect(next(after([limit, failed, late], { agents }))).toMatchObject({ do: 'delegate', agent: 'claude', attempt: 3 });
});

test('where all agents are at a limit, the first that ends is waited for (R-AGT-3)', () => {
  const state = after(
    [
      ended('rate-limited', { agent: 'claude', resetsAt: '2026-11-28T13:00:00Z' }),
      ended('rate-limited', { agent: 'codex', resetsAt: '2026-11-28T12:30:00Z' }),
    ],
    { agents },
  );
  const untilMs = Date.parse('2026-11-28T12:30:00Z');
  expect(next(state)).toMatchObject({ do: 'wait', pause: { untilMs, why: 'usage-limit' } });
  expect(next(rested(state))).toMatchObject({ do: 'delegate', agent: 'codex' });
});

function attemptOf(event: RunEvent): number {
  return 'attempt' in event ? (event.attempt ?? 1) : 1;
}
