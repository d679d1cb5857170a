import { describe, expect, test } from 'vitest';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { Policy } from '../policy.ts';
import type { RunEvent } from './data/event.ts';
import { evolve, fold } from './evolve.ts';
import { stateFields } from './record/state-fields.ts';
import {
  begin,
  checked as checkedInTree,
  committed,
  fine,
  lane,
  names,
  plannedTask,
  play as playIn,
  returned,
  setAside,
  silent,
  started,
} from './test-rig.ts';

const play = (tasks: readonly PlannedTask[], policy: Partial<Policy>, ...events: readonly RunEvent[]) =>
  playIn(tasks, { jobs: 3, ...policy }, ...events);
/** A member works on a branch of its own. */
const checked = (task: string, branch = `own/${task}`) =>
  checkedInTree(task, fine('c0', { repository: { branch, own: `own/${task}`, head: 'c0', keepsHistory: true } }));
const p = (id: string, more: Partial<PlannedTask> = {}) =>
  plannedTask(id, { parallel: true, files: [`${id}.txt`], filesKnown: true, ...more });
type Played = ReturnType<typeof begin>;
const four = [p('1.1'), p('1.2'), p('1.3'), plannedTask('1.4')];

describe('forming a batch (R-PAR-1)', () => {
  const members = (tasks: readonly PlannedTask[], policy: Partial<Policy> = {}) => {
    const [first] = play(tasks, policy).effects;
    return first?.do === 'open-batch' ? first.members : [first && 'task' in first ? first.task : ''];
  };
  test('neighbours marked [P] begin together, at most as many as there are jobs', () => {
    expect(names(play(four, {}).effects)).toEqual(['open-batch', 'delegate 1.1', 'delegate 1.2', 'delegate 1.3']);
    expect(names(play(four, { jobs: 2 }).effects)).toEqual(['open-batch', 'delegate 1.1', 'delegate 1.2']);
    expect(names(play(four, { jobs: 1 }).effects)).toEqual(['delegate 1.1']);
  });
  test('another phase, an unmarked task and a dependency end it; a ticked task inside does not', () => {
    expect(members([p('1.1'), p('1.2', { checked: true }), p('1.3'), p('2.1', { phase: 'B' })])).toEqual([
      '1.1',
      '1.3',
    ]);
    expect(members([p('1.1'), plannedTask('1.2'), p('1.3')])).toEqual(['1.1']);
    expect(members([p('1.1'), p('1.2', { dependsOn: ['1.1'] })])).toEqual(['1.1']);
  });
  test('tasks that touch the same files, or do not say which, run apart unless that is allowed', () => {
    expect(members([p('1.1', { files: ['src/'] }), p('1.2', { files: ['src/a.ts'] })])).toEqual(['1.1']);
    expect(members([p('1.1', { files: ['src/*.ts'] }), p('1.2', { files: ['src/a.ts'] })])).toEqual(['1.1']);
    expect(members([p('1.1', { files: ['src/a.ts'] }), p('1.2', { files: ['src/ab.ts'] })])).toEqual(['1.1', '1.2']);
    expect(members([p('1.1'), p('1.2', { files: [], filesKnown: false })])).toEqual(['1.1']);
    expect(members([p('1.1'), p('1.2', { files: ['1.1.txt'] })], { parallelOverlap: 'allow' })).toEqual(['1.1', '1.2']);
  });
});

describe('a member whose attempt was interrupted', () => {
  const tasks = [p('1.1'), p('1.2'), p('1.3')];
  const crashed = (...before: readonly RunEvent[]) =>
    play(tasks, { jobs: 2 }, ...before, { type: 'run-resumed', head: 'c0' });
  const played = ({ state }: Played, ...events: readonly RunEvent[]): Played =>
    events.reduce((now: Played, event) => begin(evolve(now.state, event)), { state, effects: [] });

  test('is first in line again, and recorded before those that began after it (R-PAR-3)', () => {
    const after = played(crashed(), setAside('1.1'), setAside('1.2'));
    expect(after.state.batch?.out).toEqual([]);
    const third = played(after, returned('1.3'), checked('1.3'));
    expect(names(third.effects)).not.toContain('commit 1.3');
    const first = played(third, returned('1.1', 2), { ...checked('1.1'), attempt: 2 } as RunEvent);
    expect(names(first.effects)).toContain('commit 1.1');
  });

  test('keeps no neighbour waiting once no more members begin (R-MOD-5)', () => {
    const asks = { signal: 'none', excerpt: '', request: { malformed: 'no JSON' } } as const;
    const ending = play(tasks, { jobs: 3 }, returned('1.3', 1, asks), returned('1.2'), checked('1.2'));
    const resumed = played(ending, { type: 'run-resumed', head: 'c0' }, setAside('1.1'), checked('1.2'));
    const after = played(resumed, { type: 'modification-refused', task: '1.3', attempt: 1, reason: 'no JSON' });
    expect(after.state.batch?.isEnding).toBe(true);
    expect(names(after.effects)).toContain('commit 1.2');
  });
});

describe('a batch under way', () => {
  const accept = (task: string) => [returned(task), checked(task)];
  test('the state file knows the batch before the first agent starts (R-PAR-2)', () => {
    const before = fold([
      ...started(four, { jobs: 3 }),
      { type: 'batch-opened', members: ['1.1', '1.2', '1.3'], base: 'c0' },
    ]);
    expect(before && stateFields(before)).toMatchObject({
      parallelGroup: { startIndex: 0, endIndex: 2, taskIndices: [0, 1, 2], isParallel: true },
      taskResults: { 0: { status: 'pending' }, 1: { status: 'pending' }, 2: { status: 'pending' } },
    });
  });
  test('records follow the plan even when a later member is first (R-PAR-3)', () => {
    expect(names(play(four, {}, ...accept('1.2')).effects)).toEqual([]);
    expect(names(play(four, {}, ...accept('1.2'), ...accept('1.1')).effects)).toEqual(['commit 1.1']);
    expect(names(play(four, {}, ...accept('1.2'), ...accept('1.1'), committed('1.1', 'c1')).effects)).toEqual([
      'commit 1.2',
    ]);
  });
  test('a member that is being recorded leaves its place to the next one (R-PAR-1)', () => {
    expect(names(play(four, { jobs: 2 }, returned('1.1'), checked('1.1')).effects)).toEqual([
      'commit 1.1',
      'delegate 1.3',
    ]);
  });
  test('a member that left its own branch is rejected (R-VER-3)', () => {
    expect(names(play(four, {}, returned('1.1'), checked('1.1', 'elsewhere')).effects)).toEqual(['set-aside 1.1']);
    expect(names(play(four, {}, returned('1.1'), checked('1.1', 'feat/demo')).effects)).toEqual(['set-aside 1.1']);
  });
  test('a member that fails holds nobody up, and runs again when the batch is closed (R-PAR-5)', () => {
    const failed = [returned('1.1', 1, silent), setAside('1.1')];
    const others = [...accept('1.2'), committed('1.2', 'c1'), ...accept('1.3'), committed('1.3', 'c2')];
    const closing = play(four, {}, ...failed, ...others);
    expect(names(closing.effects)).toEqual(['close-batch']);
    const after = begin(evolve(closing.state, { type: 'batch-closed', broken: [], head: 'c2' }));
    expect(after.effects).toEqual([{ do: 'delegate', task: '1.1', attempt: 2, role: 'executor', base: 'c2', lane }]);
  });
  test('a member whose merge conflicts runs again alone, without losing an attempt, and learns why (R-PAR-3)', () => {
    const conflict: RunEvent = { type: 'merge-conflicted', task: '1.2', attempt: 1, paths: ['shared.txt'] };
    const played = play(
      [p('1.1'), p('1.2'), plannedTask('1.3')],
      {},
      ...accept('1.1'),
      committed('1.1', 'c1'),
      ...accept('1.2'),
      conflict,
      setAside('1.2'),
    );
    const { state, effects } = begin(evolve(played.state, { type: 'batch-closed', broken: [], head: 'c1' }));
    expect(effects).toMatchObject([{ do: 'delegate', task: '1.2', attempt: 2, base: 'c1' }]);
    expect(state.progress.get('1.2')).toMatchObject({
      failures: [],
      note: { text: expect.stringContaining('shared.txt') },
    });
  });
  test('who breaks the proof of a neighbour is open again and has to keep that proof (R-PAR-5)', () => {
    const all = [
      ...accept('1.1'),
      committed('1.1', 'c1'),
      ...accept('1.2'),
      committed('1.2', 'c2'),
      ...accept('1.3'),
      committed('1.3', 'c3'),
    ];
    const closed: RunEvent = {
      type: 'batch-closed',
      broken: [{ task: '1.2', command: 'npm test', output: 'x', victim: '1.1' }],
      head: 'c4',
    };
    const { state, effects } = begin(evolve(play(four, {}, ...all).state, closed));
    expect(effects).toMatchObject([{ do: 'delegate', task: '1.2', attempt: 2, base: 'c4' }]);
    expect(state.alsoVerify.get('1.2')).toEqual(['npm test']);
  });
  test('a modification request ends the batch after its running members; the rest runs one by one (R-MOD-5)', () => {
    const request = { type: 'ADD_FOLLOWUP', originalTaskId: '1.1', reasoning: 'r', proposedTasks: ['x'] } as const;
    const asked = returned('1.1', 1, { signal: 'positive', excerpt: '', request });
    const played = play(four, { jobs: 2 }, asked, {
      type: 'modification-refused',
      task: '1.1',
      attempt: 1,
      reason: 'no',
    });
    expect(names(played.effects)).toEqual(['check 1.1']);
    const rest = [checked('1.1'), committed('1.1', 'c1'), ...accept('1.2'), committed('1.2', 'c2')];
    const closing = play(
      four,
      { jobs: 2 },
      asked,
      { type: 'modification-refused', task: '1.1', attempt: 1, reason: 'no' },
      ...rest,
    );
    expect(names(closing.effects)).toEqual(['close-batch']);
    expect(names(begin(evolve(closing.state, { type: 'batch-closed', broken: [], head: 'c2' })).effects)).toEqual([
      'delegate 1.3',
    ]);
  });
  test('a fix waits for the batch and runs alone (R-REC-6)', () => {
    const failed = [returned('1.1', 1, silent), setAside('1.1')];
    const played = play([p('1.1'), p('1.2')], { recoveryMode: true }, ...failed);
    expect(names(played.effects)).toEqual([]);
    const closing = play(
      [p('1.1'), p('1.2')],
      { recoveryMode: true },
      ...failed,
      ...accept('1.2'),
      committed('1.2', 'c1'),
    );
    expect(names(begin(evolve(closing.state, { type: 'batch-closed', broken: [], head: 'c1' })).effects)).toEqual([
      'plan-fix 1.1',
    ]);
  });
  test('a due review covers the batch, with its last member (R-PAR-7)', () => {
    const tasks = [
      plannedTask('0.1', { checked: true }),
      p('1.1', { phase: 'B' }),
      p('1.2', { phase: 'B' }),
      plannedTask('1.3'),
    ];
    expect(names(play(tasks, {}, ...accept('1.1')).effects)).toEqual(['commit 1.1']);
    expect(names(play(tasks, {}, ...accept('1.1'), committed('1.1', 'c1'), ...accept('1.2')).effects)).toEqual([
      'review 1.2',
    ]);
  });
  test('a due review that the last member leaves open takes place when that one is done (R-PAR-7)', () => {
    const tasks = [
      plannedTask('0.1', { checked: true }),
      p('1.1', { phase: 'B' }),
      p('1.2', { phase: 'B' }),
      plannedTask('1.3', { phase: 'B' }),
    ];
    const late = [...accept('1.1'), committed('1.1', 'c1'), returned('1.2', 1, silent), setAside('1.2')];
    const closed: RunEvent = { type: 'batch-closed', broken: [], head: 'c1' };
    const again = [returned('1.2', 2), checkedInTree('1.2', fine('c1'), 2)];
    const { state, effects } = play(tasks, {}, ...late, closed, ...again);
    expect(names(effects)).toEqual(['review 1.2']);
    expect(state.owedReviews.get('1.2')).toEqual(['1.1']);
    const early = [returned('1.2', 1, silent), setAside('1.2'), ...accept('1.1')];
    expect(names(play(tasks, {}, ...early).effects)).toEqual(['review 1.1']);
    expect(names(play(tasks, { review: 'off' }, ...late, closed, ...again).effects)).toEqual(['commit 1.2']);
  });
  test('after a crash a member that had returned is checked in its worktree, not run again (R-ADV-2, R-PAR-5)', () => {
    const { state } = play(four, {}, ...accept('1.2'));
    const resumed = begin(evolve(state, { type: 'run-resumed', head: 'c0' }));
    expect(names(resumed.effects)).toEqual(['set-aside 1.1', 'check 1.2', 'set-aside 1.3']);
  });
});
