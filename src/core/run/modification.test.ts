import { describe, expect, test } from 'vitest';
import type { ModificationType } from '../plan/edit/modification.ts';
import { parsePlan } from '../plan/read/parse.ts';
import type { Answer } from './data/answer.ts';
import type { RunEvent } from './data/event.ts';
import { beyondScope } from './modification.ts';
import { checked, committed, names, plannedTask, play, returned, setAside } from './test-rig.ts';

const off = { review: 'off' as const };
const two = [plannedTask('2.1', { verifyKind: 'command', verifyCommand: 'npm test' }), plannedTask('2.2')];
const asked = (type: ModificationType, signal: Answer['signal']): RunEvent =>
  returned('2.1', 1, {
    signal,
    excerpt: '',
    request: { type, originalTaskId: '2.1', reasoning: 'r', proposedTasks: ['x'] },
  });
const granted = (request: ModificationType, at: number, ...ids: string[]): RunEvent => ({
  type: 'plan-modified',
  task: '2.1',
  attempt: 1,
  request,
  inserted: { at, tasks: ids.map((id) => plannedTask(id)) },
  reason: 'r',
  head: 'c1',
});
const refused: RunEvent = { type: 'modification-refused', task: '2.1', attempt: 1, reason: 'no' };

describe('a modification request', () => {
  test('is decided before the attempt is judged (R-MOD-1)', () => {
    expect(names(play(two, off, asked('ADD_FOLLOWUP', 'positive')).effects)).toEqual(['modify 2.1']);
  });

  test('that is refused leaves the attempt as if it had not been made, and the next one learns why (R-MOD-2)', () => {
    expect(names(play(two, off, asked('ADD_FOLLOWUP', 'positive'), refused).effects)).toEqual(['check 2.1']);
    const { state, effects } = play(two, off, asked('SPLIT_TASK', 'none'), refused);
    expect(names(effects)).toEqual(['set-aside 2.1']);
    expect(state.progress.get('2.1')).toMatchObject({ failure: { text: expect.stringContaining('refused: no') } });
  });

  test('to split a [VERIFY] task claims the split, and not that all is verified: refused, it is no completion (R-MOD-2)', () => {
    const [, after = plannedTask('2.2')] = two;
    const check = [plannedTask('2.1', { verify: true, verifyKind: 'prose', verifyCommand: null }), after];
    const { state, effects } = play(check, off, asked('SPLIT_TASK', 'positive'), refused);
    expect(names(effects)).toEqual(['set-aside 2.1']);
    expect(state.progress.get('2.1')).toMatchObject({ failure: { text: expect.stringContaining('refused: no') } });
  });

  test('for a prerequisite keeps the work, runs it first, and costs no attempt (R-MOD-3)', () => {
    const events = [asked('ADD_PREREQUISITE', 'none'), granted('ADD_PREREQUISITE', 0, '2.1.1')];
    expect(names(play(two, off, ...events).effects)).toEqual(['set-aside 2.1']);
    const { state, effects } = play(two, off, ...events, setAside('2.1'));
    expect(names(effects)).toEqual(['delegate 2.1.1']);
    expect(state.progress.get('2.1')).toMatchObject({ at: 'waiting', failures: [] });
  });

  test('for a follow-up runs it in its turn (R-MOD-3)', () => {
    const events = [asked('ADD_FOLLOWUP', 'positive'), granted('ADD_FOLLOWUP', 1, '2.1.1')];
    expect(play(two, off, ...events).state.tasks.map(({ id }) => id)).toEqual(['2.1', '2.1.1', '2.2']);
  });

  test('to split records the original without its Verify, which the last part has to pass (R-MOD-3)', () => {
    const commands = (events: readonly RunEvent[], key: string) => {
      const { state } = play(two, off, ...events);
      return { at: state.progress.get(key)?.at, split: state.splits.get(key) };
    };
    const split = [asked('SPLIT_TASK', 'positive'), granted('SPLIT_TASK', 1, '2.1.1', '2.1.2'), checked('2.1')];
    expect(names(play(two, off, ...split).effects)).toEqual(['commit 2.1']);
    const first = [...split, committed('2.1', 'c2'), returned('2.1.1'), checked('2.1.1')];
    expect(commands(first, '2.1.1')).toEqual({ at: 'COMMITTING', split: '2.1' });
    const last = [...first, committed('2.1.1', 'c3'), returned('2.1.2'), checked('2.1.2')];
    expect(commands(last, '2.1.2').at).toBe('SETTING-ASIDE');
  });

  test('is counted, and the plan only grows (R-MOD-4)', () => {
    const { state } = play(two, off, asked('ADD_FOLLOWUP', 'positive'), granted('ADD_FOLLOWUP', 1, '2.1.1'));
    expect(state.carried.modifications['2.1']).toMatchObject({ count: 1, modifications: [{ tasks: ['2.1.1'] }] });
    expect(state.tasks).toHaveLength(3);
  });
});

test('a prerequisite or follow-up that would change files outside the bounds is refused with both (R-SCOPE-2)', () => {
  const plan = parsePlan('- [ ] 2.1 a\n  - **Files**: lib/a.ts\n- [ ] 2.1.1 b\n  - **Files**: src/a.ts, lib/b.ts\n');
  const beyond = (type: ModificationType, ...bounds: string[]) =>
    beyondScope({ type }, plan, { ids: ['2.1.1'], bounds, own: 'specs/demo' });
  expect(beyond('ADD_PREREQUISITE', 'src/')).toBe(
    'Task 2.1.1 would change lib/b.ts, which is outside of the scope: src/.',
  );
  expect(beyond('ADD_FOLLOWUP', 'src/', 'lib/**')).toBeUndefined();
  expect(beyond('SPLIT_TASK', 'src/')).toBeUndefined();
  expect(beyondScope({ type: 'ADD_FOLLOWUP' }, plan, { ids: ['2.1.1'], own: 'specs/demo' })).toBeUndefined();
});
