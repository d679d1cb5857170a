import { expect, test } from 'vitest';
import { nextCommand, type Whereabouts } from './next-command.ts';
import { planningOf } from './planning.ts';

const AT: Whereabouts = { spec: 'demo', total: 3, done: 1, isRunning: false };

/** A run whose task 1.2 waits for an answer, as far as it matters here. */
const ASKING = {
  progress: new Map([
    ['k1', { at: 'waiting' }],
    ['k2', { at: 'asking' }],
  ]),
  tasks: [
    { key: 'k1', id: '1.1' },
    { key: 'k2', id: '1.2' },
  ],
  ended: { result: 'waiting', reason: '' },
} as unknown as NonNullable<Whereabouts['run']>;

test.each<[string, Partial<Whereabouts>, string | undefined]>([
  ['tasks are open', {}, 'specloop implement demo'],
  ['all are done', { done: 3 }, undefined],
  ['there is no plan', { total: 0, done: 0 }, undefined],
  ['a run is at work', { isRunning: true }, undefined],
  ['a question waits', { run: ASKING }, 'specloop answer 1.2 demo "TEXT"'],
  ['a session has work out', { session: { id: 's-1' } }, 'specloop next demo --session s-1 --json'],
  ['a session without an id has', { session: { id: undefined } }, 'specloop next demo --json'],
])('the command that goes on with a spec where %s (R-PLAN-7)', (_what, more, command) => {
  expect(nextCommand({ ...AT, ...more })).toBe(command);
});

test('phase, gate and epic are what the state file says, else what the plan shows (R-PLAN-7)', () => {
  const [open, done] = [{ checked: false }, { checked: true }];
  expect(planningOf({}, [])).toEqual({ phase: 'planning', gate: null, epic: null });
  expect(planningOf({}, [open, done]).phase).toBe('tasks');
  expect(planningOf({}, [done]).phase).toBe('completed');
  const stated = { phase: 'design', awaitingApproval: true, epicName: 'big' };
  expect(planningOf(stated, [open])).toEqual({ phase: 'design', gate: 'design', epic: 'big' });
});
