import { describe, expect, test } from 'vitest';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { RunEvent } from './data/event.ts';
import { checked, committed, fine, names, plannedTask, play, returned, setAside, silent } from './test-rig.ts';

const recovery = { recoveryMode: true, review: 'off' as const, maxTaskIterations: 20 };
const failed = (task: string, attempt = 1): RunEvent[] => [returned(task, attempt, silent), setAside(task, attempt)];
const planned = (task: string, fix: string, at: number, attempt = 1): RunEvent => ({
  type: 'fix-planned',
  task,
  attempt,
  inserted: { at, tasks: [plannedTask(fix, { fixes: task })] },
  error: `error of ${task}`,
  head: `plan-${fix}`,
});
const done = (task: string, attempt = 1): RunEvent[] => [
  returned(task, attempt),
  checked(task, undefined, attempt),
  committed(task, `c-${task}`, attempt),
];
const two = [plannedTask('1.3'), plannedTask('1.4')];

describe('recovery mode', () => {
  test('a failure makes a fix task, the fix runs, then the original again (R-REC-5, R-REC-6)', () => {
    expect(names(play(two, recovery, ...failed('1.3')).effects)).toEqual(['plan-fix 1.3']);
    const fixing = [...failed('1.3'), planned('1.3', '1.3.1', 1)];
    expect(play(two, recovery, ...fixing).effects).toMatchObject([
      { do: 'delegate', task: '1.3.1', base: 'plan-1.3.1' },
    ]);
    const again = play(two, recovery, ...fixing, ...done('1.3.1'));
    expect(again.effects).toMatchObject([{ do: 'delegate', task: '1.3', attempt: 2 }]);
    expect(names(play(two, recovery, ...fixing, ...done('1.3.1'), ...done('1.3', 2)).effects)).toEqual([
      'delegate 1.4',
    ]);
  });

  test('an original that was fixed has nothing to change any more (R-REC-6, R-VER-12)', () => {
    const named = [plannedTask('1.3', { files: ['a.ts'], commitKind: 'message' }), plannedTask('1.4')];
    const idle = (base: string) => fine(base, { changedFiles: [], changedFilesTotal: 0 });
    const first = play(named, recovery, returned('1.3'), checked('1.3', idle('c0')));
    expect(names(first.effects)).toEqual(['set-aside 1.3']);
    const fixing = [...failed('1.3'), planned('1.3', '1.3.1', 1), ...done('1.3.1')];
    const fixed = play(named, recovery, ...fixing, returned('1.3', 2), checked('1.3', idle('c-1.3.1'), 2));
    expect(fixed.effects).toMatchObject([{ do: 'commit', task: '1.3', attempt: 2 }]);
  });

  test('without it a failure is only tried again (R-REC-1)', () => {
    expect(names(play(two, { review: 'off' }, ...failed('1.3')).effects)).toEqual(['delegate 1.3']);
  });

  test('three fixes a task and no more, with the history in the reason (R-REC-3)', () => {
    const round = (n: number) => [...failed('1.3', n), planned('1.3', `1.3.${n}`, n, n), ...done(`1.3.${n}`)];
    const third = play(two, recovery, ...round(1), ...round(2), ...failed('1.3', 3));
    expect(names(third.effects)).toEqual(['plan-fix 1.3']);
    const fourth = play(two, recovery, ...round(1), ...round(2), ...round(3), ...failed('1.3', 4));
    expect(fourth.effects).toMatchObject([
      {
        do: 'finish',
        result: 'stuck',
        reason: expect.stringMatching(/Max fix attempts \(3\) reached for task 1\.3[\s\S]*1\.3\.1, 1\.3\.2, 1\.3\.3/),
      },
    ]);
  });

  test('a fix that fails gets a fix of its own, down to the depth limit (R-REC-6, R-REC-3)', () => {
    const ids = ['1.3', '1.3.1', '1.3.1.1', '1.3.1.1.1'];
    const events = ids.slice(1).flatMap((fix, n) => [...failed(ids[n] ?? ''), planned(ids[n] ?? '', fix, n + 1)]);
    expect(names(play(two, recovery, ...events).effects)).toEqual(['delegate 1.3.1.1.1']);
    const deepest = play(two, recovery, ...events, ...failed('1.3.1.1.1'));
    expect(deepest.effects).toMatchObject([{ do: 'finish', reason: expect.stringContaining('Max fix depth (3)') }]);
  });

  test('an interruption is nothing to repair (R-ADV-2)', () => {
    const resumed: RunEvent = { type: 'run-resumed', head: 'c0' };
    expect(names(play(two, recovery, resumed, setAside('1.3')).effects)).toEqual(['delegate 1.3']);
  });
});

describe('end-to-end tasks (R-REC-8)', () => {
  const ve = (id: string): PlannedTask => plannedTask(id, { verify: true });
  const chain = [ve('VE1'), ve('VE2'), ve('VE3'), plannedTask('2.1')];
  const policy = { review: 'off' as const, maxTaskIterations: 1 };
  test('recover without the flag', () => {
    expect(names(play(chain, { review: 'off' }, ...done('VE1'), ...failed('VE2')).effects)).toEqual(['plan-fix VE2']);
  });
  test('are cleaned up although one gave up; then the run stops with that error', () => {
    const gaveUp = [...done('VE1'), ...failed('VE2')];
    expect(names(play(chain, policy, ...gaveUp).effects)).toEqual(['delegate VE3']);
    expect(play(chain, policy, ...gaveUp, ...done('VE3')).effects).toMatchObject([
      { do: 'finish', result: 'stuck', reason: expect.stringContaining('Max retries reached for task 1') },
    ]);
  });
});
