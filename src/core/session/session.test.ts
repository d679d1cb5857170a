import { expect, test } from 'vitest';
import { defaultPolicy } from '../policy.ts';
import type { RunEvent } from '../run/data/event.ts';
import type { Holder } from '../run/data/hand-over.ts';
import type { RunState } from '../run/data/state.ts';
import { fold } from '../run/evolve.ts';
import {
  checked,
  checking,
  committed,
  committing,
  delegated,
  fine,
  plannedTask,
  returned,
  settingAside,
  silent,
  started,
} from '../run/test-rig.ts';
import { envelopes, instant } from '../view/test-rig.ts';
import { decide } from './decision.ts';
import { drivenSince } from './driven-since.ts';
import { isUnchanged } from './since-end.ts';
import { tokenOf } from './token.ts';
import { verdictOf } from './verdict.ts';

const holder: Holder = { driver: 'session:a', token: 't1', until: instant(3600) };
const handedOver = (token = 't1', attempt = 1): RunEvent =>
  ({ ...delegated('1.1', attempt), holder: { ...holder, token } }) as RunEvent;
const reported: RunEvent = { type: 'work-reported', task: '1.1', attempt: 1, driver: 'session:a' };
const finished = (result: 'stuck' | 'completed' | 'waiting' | 'limit', reason: string): RunEvent => ({
  type: 'run-finished',
  result,
  reason,
  head: 'c9',
});
const tasks = [plannedTask('1.1'), plannedTask('1.2')];

function after(...events: readonly RunEvent[]): RunState {
  const state = fold([...started(tasks), ...events]);
  if (state === undefined) throw new Error('Nothing was folded.');
  return state;
}

test('a session is to delegate while work is handed over, or ready to be, and else learns how the run ended (R-SES-1)', () => {
  expect(decide(after(handedOver()))).toMatchObject({ do: 'delegate' });
  expect(decide(after())).toMatchObject({ do: 'delegate' });
  const ends = (['completed', 'stuck', 'limit', 'waiting'] as const).map(
    (result) => decide(after(finished(result, `It is ${result}.`))) ?? { do: 'nothing', message: '' },
  );
  expect(ends.map(({ do: what, message }) => `${what}: ${message}`)).toEqual([
    'complete: It is completed.',
    'stuck: It is stuck.',
    'limit: It is limit.',
    'gate: It is waiting.',
  ]);
  const planning = { spec: 'demo', path: 'specs/demo', goal: 'g', goalClass: 'mid-sized', workflow: 'tdd' } as const;
  const drafted = { ...after(finished('completed', 'Every document is recorded.')), planning };
  expect(decide(drafted)).toMatchObject({ do: 'delegate', message: expect.stringContaining('specloop next') });
  expect(decide(after({ type: 'run-halted', result: 'interrupted', reason: '' }))).toBeUndefined();
});

test('a session waits until the first pause is over (R-SES-1)', () => {
  const pause = { untilMs: 1_800_000_000_000, why: 'usage-limit' } as const;
  const waits: RunEvent = { type: 'effect-started', effect: { do: 'wait', task: '1.1', attempt: 1, pause } };
  expect(decide(after(waits))).toMatchObject({ do: 'wait', untilMs: pause.untilMs });
});

test('how a run ended is said again until plan, limits or head change (R-SES-1)', () => {
  const stuck = after(finished('stuck', 'no'));
  const same = { tasks, policy: stuck.policy, head: 'c9', endedAt: 'c9', isPlanEdited: false };
  expect(isUnchanged(stuck, same)).toBe(true);
  expect(isUnchanged(stuck, { ...same, policy: { ...stuck.policy, trustCommand: 'x' } })).toBe(true);
  for (const acted of [
    { head: 'c10' },
    { isPlanEdited: true },
    { tasks: [plannedTask('1.1'), plannedTask('1.2', { verifyCommand: 'true' })] },
    { policy: { ...stuck.policy, maxTaskIterations: 9 } },
  ])
    expect(isUnchanged(stuck, { ...same, ...acted })).toBe(false);
});

test('a run that is complete stays so while every task is done, whatever is committed later (R-SES-1)', () => {
  const done = after(finished('completed', 'all'));
  const now = { policy: defaultPolicy(2), head: 'c10', endedAt: 'c9', isPlanEdited: true };
  const ticked = tasks.map((task) => ({ ...task, checked: true }));
  expect(isUnchanged(done, { ...now, tasks: ticked })).toBe(true);
  expect(isUnchanged(done, { ...now, tasks })).toBe(false);
});

test('a token is open, then reported; overtaken if another attempt or driver came first (R-SES-2)', () => {
  const of = (token: string, ...events: readonly RunEvent[]) =>
    tokenOf(envelopes(started(tasks), events), after(...events), token)?.is;
  expect(of('t1', handedOver())).toBe('open');
  expect(of('t2', handedOver())).toBeUndefined();
  expect(of('t1', handedOver(), reported, returned('1.1'))).toBe('reported');
  expect(of('t1', handedOver(), { type: 'run-resumed', head: 'c0', driver: 'session:b' })).toBe('overtaken');
  const failed = { ...returned('1.1', 1, silent), how: 'timed-out' } as RunEvent;
  const second = [handedOver(), failed, settingAside('1.1')] as const;
  expect(of('t1', ...second)).toBe('overtaken');
});

test('the verdict on an answer is that on its task: nothing until it is recorded, and the layer that rejected it (R-SES-2)', () => {
  const verdict = (...events: readonly RunEvent[]) =>
    verdictOf(envelopes(started(tasks), handedOver(), reported, events), { task: '1.1', attempt: 1 });
  const accepted = [returned('1.1'), checking('1.1'), checked('1.1', fine())];
  expect(verdict(...accepted)).toEqual({ verdict: 'waiting', layer: null, reason: null });
  expect(verdict(...accepted, committing('1.1'), committed('1.1', 'c1'))).toMatchObject({ verdict: 'accepted' });
  expect(verdict(returned('1.1', 1, silent))).toMatchObject({ verdict: 'rejected', layer: 'signal' });
});

test('a question of the helper makes the verdict wait, with the question as its reason (R-SES-2, R-AGT-6)', () => {
  const asked = returned('1.1', 1, { ...silent, question: 'Which port?' });
  const found = verdictOf(envelopes(started(tasks), handedOver(), reported, asked), { task: '1.1', attempt: 1 });
  expect(found).toEqual({ verdict: 'waiting', layer: null, reason: 'Which port?' });
});

test('since when a run has its driver does not change while the same one resumes it (R-SES-4)', () => {
  const resumed = (driver?: string): RunEvent => ({ type: 'run-resumed', head: 'c0', ...(driver && { driver }) });
  const journal = envelopes(started(tasks), resumed('session:a'), resumed('session:a'));
  expect(drivenSince(journal)).toBe(journal.at(-2)?.at);
  const back = envelopes(started(tasks), resumed('session:a'), resumed());
  expect(drivenSince(back)).toBe(back.at(-1)?.at);
  expect(drivenSince([])).toBeUndefined();
});
