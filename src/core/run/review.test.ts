import { describe, expect, test } from 'vitest';
import type { RunEvent } from './data/event.ts';
import { isReviewPoint } from './review-point.ts';
import { checked, committed, names, plannedTask, play, returned } from './test-rig.ts';

const one = [plannedTask('1.1')];
const accepted = [returned('1.1'), checked('1.1')];
const reviewed = (
  round: number,
  verdict: 'pass' | 'fail' | 'none',
  code: string[] = [],
  spec: string[] = [],
): RunEvent => ({
  type: 'task-reviewed',
  task: '1.1',
  attempt: 1,
  round,
  how: 'completed',
  message: '',
  verdict,
  findings: { code, spec },
  excerpt: '',
  usage: {},
  durationMs: 1,
});
const held: RunEvent = { type: 'work-held', task: '1.1', attempt: 1, commit: 'h1', head: 'h1' };
const fixed = (fix: string): RunEvent[] => [
  {
    type: 'fix-planned',
    task: '1.1',
    attempt: 1,
    inserted: { at: 1, tasks: [plannedTask(fix, { fixes: '1.1' })] },
    error: 'e',
    head: 'p',
  },
  returned(fix),
  checked(fix),
  committed(fix, `c-${fix}`),
];
/** One round that sends the work back, its fix, and the claim checked again. */
const sentBack = (round: number): RunEvent[] => [
  reviewed(round, 'fail', [`finding ${round}`]),
  held,
  ...fixed(`1.1.${round}`),
  checked('1.1'),
];

describe('a review (R-VER-7)', () => {
  test('is due at the first task of a phase, at every fifth and at the last', () => {
    const tasks = ['A', 'A', 'A', 'A', 'A', 'A', 'A', 'B', 'B', 'B'].map((phase, n) => plannedTask(`${n}`, { phase }));
    expect(tasks.map((_, n) => n).filter((n) => isReviewPoint({ tasks }, n))).toEqual([5, 7, 9]);
  });

  test('comes after all other layers and before the record', () => {
    expect(names(play(one, {}, ...accepted).effects)).toEqual(['review 1.1']);
    expect(names(play(one, {}, ...accepted, reviewed(1, 'pass')).effects)).toEqual(['commit 1.1']);
    expect(names(play(one, { review: 'off' }, ...accepted).effects)).toEqual(['commit 1.1']);
  });

  test('that was cut off is still due, although a person added a task meanwhile and this one is no longer the last (R-ADV-2)', () => {
    const resumed: RunEvent = { type: 'run-resumed', head: 'c0', tasks: [...one, plannedTask('1.2')] };
    expect(names(play(one, {}, ...accepted, resumed, checked('1.1')).effects)).toEqual(['review 1.1']);
    expect(names(play([...one, plannedTask('1.2')], {}, ...accepted).effects)).toEqual(['commit 1.1']);
  });

  test('that let an attempt pass says nothing about the work of a later one', () => {
    const refused: RunEvent = { type: 'commit-refused', task: '1.1', attempt: 1, output: 'no' };
    const aside: RunEvent = { type: 'work-set-aside', task: '1.1', attempt: 1, repaired: [] };
    const again = [...accepted, reviewed(1, 'pass'), refused, aside, returned('1.1', 2), checked('1.1', undefined, 2)];
    const { state, effects } = play(one, {}, ...again);
    expect(names(effects)).toEqual(['review 1.1']);
    expect(state.progress.get('1.1')?.review).toEqual({
      begun: true,
      rounds: 0,
      unanswered: 0,
      findings: [],
      suggestions: [],
    });
  });

  test('that let work pass says nothing about it once something has changed it (R-VER-13)', () => {
    const moved: RunEvent = { type: 'check-cancelled', task: '1.1', attempt: 1, moved: ['a.txt'] };
    expect(names(play(one, {}, ...accepted, reviewed(1, 'pass'), moved, checked('1.1')).effects)).toEqual([
      'review 1.1',
    ]);
    const cutOff: RunEvent = { type: 'check-cancelled', task: '1.1', attempt: 1 };
    expect(names(play(one, {}, ...accepted, reviewed(1, 'pass'), cutOff, checked('1.1')).effects)).toEqual([
      'commit 1.1',
    ]);
  });

  test('that finds something holds the work without a tick, has it fixed, and looks again, though the task is the last no more', () => {
    expect(names(play(one, {}, ...accepted, reviewed(1, 'fail', ['no check'])).effects)).toEqual(['hold 1.1']);
    expect(names(play(one, {}, ...accepted, reviewed(1, 'fail', ['no check']), held).effects)).toEqual([
      'plan-fix 1.1',
    ]);
    expect(play(one, {}, ...accepted, ...sentBack(1)).effects).toMatchObject([{ do: 'review', task: '1.1', round: 2 }]);
  });

  test('goes on after the third round as accepted with findings; strict stops for a person', () => {
    const third = [...accepted, ...sentBack(1), ...sentBack(2), reviewed(3, 'fail', ['still'])];
    const { state, effects } = play(one, {}, ...third);
    expect(names(effects)).toEqual(['commit 1.1']);
    expect(state.progress.get('1.1')?.review).toMatchObject({ status: 'accepted with findings', findings: ['still'] });
    expect(names(play(one, { review: 'strict' }, ...third).effects)).toEqual(['hold 1.1']);
    expect(play(one, { review: 'strict' }, ...third, held).effects).toMatchObject([
      { do: 'finish', result: 'waiting' },
    ]);
  });

  test('without a verdict is asked once more, then goes on as unreviewed', () => {
    expect(names(play(one, {}, ...accepted, reviewed(1, 'none')).effects)).toEqual(['review 1.1']);
    const { state, effects } = play(one, {}, ...accepted, reviewed(1, 'none'), reviewed(1, 'none'));
    expect(names(effects)).toEqual(['commit 1.1']);
    expect(state.progress.get('1.1')?.review.status).toBe('unreviewed');
  });

  test('findings about the spec are noted, and the work goes on, but not as passed; strict stops for a person', () => {
    const failed = [...accepted, reviewed(1, 'fail', [], ['design.md says otherwise'])];
    const { state, effects } = play(one, {}, ...failed);
    expect(names(effects)).toEqual(['commit 1.1']);
    expect(state.progress.get('1.1')?.review).toMatchObject({
      status: 'accepted with findings',
      suggestions: ['design.md says otherwise'],
    });
    expect(names(play(one, { review: 'strict' }, ...failed).effects)).toEqual(['hold 1.1']);
    expect(play(one, { review: 'strict' }, ...failed, held).effects).toMatchObject([
      { do: 'finish', result: 'waiting' },
    ]);
  });

  test('is due for no fix task, even where every task is reviewed (R-VER-8)', () => {
    const { effects } = play(
      one,
      { review: 'always' },
      ...accepted,
      reviewed(1, 'fail', ['no check']),
      held,
      ...fixed('1.1.1').slice(0, -1),
    );
    expect(names(effects)).toEqual(['commit 1.1.1']);
  });

  test('a failure without findings, as older journals hold it, never passes (R-DEL-4)', () => {
    const { state } = play(one, {}, ...accepted, reviewed(1, 'fail'));
    expect(state.progress.get('1.1')?.review.status).not.toBe('passed');
  });
});
