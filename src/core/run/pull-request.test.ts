import { describe, expect, test } from 'vitest';
import { markOf } from '../pull-request/marks.ts';
import { defaultPullRequestPolicy, type PullRequestPolicy } from '../pull-request/policy.ts';
import type { Author, Check, Comment, PullRequest, Seen, Thread } from '../pull-request/seen.ts';
import type { Effect } from './data/effect.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { evolve } from './evolve.ts';
import { begin, plannedTask, play } from './test-rig.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
const at = (minutes = 0) => new Date(START + minutes * MINUTE).toISOString();

const one = plannedTask('1.1', { checked: true });
const ownTask = plannedTask('5.1', { phase: 'Phase 5: PR Lifecycle', isOfLifecycle: true, verifyCommand: null });
const url = 'https://github.com/acme/app/pull/1';
const pullRequest: PullRequest = {
  number: 1,
  url,
  state: 'open',
  head: 'c0',
  base: 'main',
  isDraft: false,
  title: '',
  body: '',
  mergeable: 'yes',
};
const ada: Author = { name: 'ada', isBot: false, isSelf: false, mayWrite: true };
const eve: Author = { ...ada, name: 'eve', mayWrite: false };
const bot: Author = { ...eve, name: 'lint[bot]', isBot: true };
const me: Author = { ...ada, name: 'me', isSelf: true };
const comment = (id: string, author = ada, body = 'Rename this.'): Comment => ({ id, author, body, url });
const thread = (id: string, ...comments: Comment[]): Thread => ({ id, comments });
const check = (name: string, state: Check['state'], more: Partial<Check> = {}): Check => ({
  name,
  state,
  isRequired: false,
  job: `job of ${name}`,
  ...more,
});

const pushed = (commit = 'c0', minutes = 0): RunEvent => ({
  type: 'branch-pushed',
  at: at(minutes),
  commit,
  isNew: true,
});
const opened: RunEvent = { type: 'pull-request-opened', at: at(), pullRequest, isNew: true };
const waited: RunEvent = { type: 'waited' };
const seen = (more: Partial<Omit<Seen, 'pullRequest'>> & { pullRequest?: Partial<PullRequest> } = {}): RunEvent => ({
  type: 'pull-request-seen',
  at: at(3),
  checks: [],
  threads: [],
  changesRequested: [],
  answeredReviews: [],
  ...more,
  pullRequest: { ...pullRequest, ...more.pullRequest },
});
/** Pushed, opened, and waited for once. */
const before: readonly RunEvent[] = [pushed(), opened, waited];

const policy = (more: Partial<PullRequestPolicy> = {}) => ({
  review: 'off' as const,
  pullRequest: { ...defaultPullRequestPolicy, noChecks: 'accept' as const, ...more },
});
const after = (
  events: readonly RunEvent[],
  { tasks = [one], ...more }: Partial<PullRequestPolicy> & { tasks?: RunState['tasks'] } = {},
) => play(tasks, policy(more), ...events);
const effects = (...args: Parameters<typeof after>): readonly Effect[] => after(...args).effects;
/** What was seen after the first wait, and what follows. */
const look = (...args: Parameters<typeof seen>) => effects([...before, seen(...args)]);

describe('the way to a pull request', () => {
  test('with the last task recorded the branch is pushed before anything else, then the pull request opened (R-PR-1)', () => {
    expect(effects([])).toMatchObject([{ do: 'pull-request', step: 'push', commit: 'c0' }]);
    expect(effects([pushed()])).toMatchObject([{ step: 'open' }]);
  });

  test('checks are waited for first, and then looked at; each wait is longer (R-PR-2)', () => {
    expect(effects([pushed(), opened])).toMatchObject([{ do: 'wait', pause: { untilMs: START + 3 * MINUTE } }]);
    expect(effects(before)).toMatchObject([{ step: 'look' }]);
    const [second] = look({ checks: [check('build', 'pending')] });
    expect(second).toMatchObject({ do: 'wait', pause: { untilMs: START + 7.5 * MINUTE } });
  });

  test('a pull request that is there is taken, and looked at without a wait if nothing is new (R-PR-1)', () => {
    const there: readonly RunEvent[] = [
      { type: 'branch-pushed', at: at(), commit: 'c0', isNew: false },
      { type: 'pull-request-opened', at: at(), pullRequest, isNew: false },
    ];
    expect(effects(there)).toMatchObject([{ step: 'look' }]);
  });

  test('--no-pr leaves it out, with the tasks of its own, and says so (R-PR-8, R-PR-9)', () => {
    const [end] = play([one, ownTask], { review: 'off' }).effects;
    expect(end).toMatchObject({ do: 'finish', result: 'completed', reason: expect.stringContaining('(--no-pr): 5.1') });
  });

  test('a task of its own goes to no agent, and is recorded when all it speaks of holds (R-PR-9, R-ADV-4)', () => {
    const tasks = [one, ownTask];
    expect(effects([], { tasks })).toMatchObject([{ step: 'push' }]);
    expect(effects([...before, seen({ checks: [check('build', 'passed')] })], { tasks })).toMatchObject([
      { step: 'record' },
    ]);
    const recorded: RunEvent = { type: 'lifecycle-recorded', at: at(4), head: 'c1', done: [{ task: '5.1' }] };
    const played = after([...before, seen(), recorded], { tasks });
    expect(played.state.tasks.every(({ checked }) => checked)).toBe(true);
    expect(played.effects).toMatchObject([{ step: 'push', commit: 'c1' }]);
  });

  test('it is complete only when the recorded commit was pushed, looked at and is green (R-PR-5, R-PR-10)', () => {
    const recorded: RunEvent = { type: 'lifecycle-recorded', at: at(4), head: 'c1', done: [] };
    const again = [...before, seen(), recorded, pushed('c1', 4), waited];
    expect(effects(again)).toMatchObject([{ step: 'look' }]);
    const end = effects([...again, seen({ pullRequest: { head: 'c1' } })]);
    expect(end).toMatchObject([{ do: 'finish', result: 'completed' }]);
  });
});

describe('checks', () => {
  test('each red check becomes one task with the next free id (R-PR-2)', () => {
    const tasks = [one, plannedTask('5.3', { phase: 'Phase 5: PR Lifecycle', checked: true })];
    const checks = [check('build', 'failed'), check('test', 'failed'), check('style', 'passed')];
    expect(effects([...before, seen({ checks })], { tasks })).toMatchObject([
      {
        step: 'plan',
        findings: [
          { id: '5.4', name: 'build' },
          { id: '5.5', name: 'test' },
        ],
      },
    ]);
  });

  test('while one is pending nothing is planned; those that are required decide (R-PR-2)', () => {
    expect(look({ checks: [check('build', 'failed'), check('test', 'pending')] })).toMatchObject([{ do: 'wait' }]);
    const required = [
      check('build', 'passed', { isRequired: true }),
      check('style', 'failed'),
      check('slow', 'pending'),
    ];
    expect(look({ checks: required })).toMatchObject([{ step: 'record' }]);
  });

  test('one that was cut off is run again once, and then becomes a task (R-PR-10)', () => {
    const cutOff = { checks: [check('build', 'cut-off')] };
    expect(look(cutOff)).toMatchObject([{ step: 'rerun', check: 'build', job: 'job of build' }]);
    const rerun: RunEvent = { type: 'check-rerun', at: at(3), check: 'build', isRunning: true };
    expect(effects([...before, seen(cutOff), rerun])).toMatchObject([{ do: 'wait' }]);
    expect(effects([...before, seen(cutOff), rerun, waited, seen(cutOff)])).toMatchObject([{ step: 'plan' }]);
  });

  test('where there is none, one may appear for a while, or it is accepted at once (R-PR-2)', () => {
    const none = [...before, seen()];
    expect(effects(none, { noChecks: 'wait' })).toMatchObject([{ do: 'wait' }]);
    const late: RunEvent = { ...(seen() as RunEvent & { type: 'pull-request-seen' }), at: at(10) };
    expect(effects([...before, late], { noChecks: 'wait' })).toMatchObject([{ step: 'record' }]);
    expect(effects(none)).toMatchObject([{ step: 'record' }]);
  });

  test.each(['failed', 'cut-off'] as const)(
    'a check that is %s again after so many fixes ends the run (R-PR-5)',
    (state) => {
      const from = (head: string) => plannedTask(`5.${head}`, { checked: true, from: `check ${head} build` });
      const tasks = [one, from('1'), from('2')];
      const rerun: RunEvent = { type: 'check-rerun', at: at(3), check: 'build', isRunning: false };
      const red = seen({ checks: [check('build', state)] });
      const events = state === 'failed' ? [...before, red] : [...before, red, rerun];
      expect(effects(events, { tasks, maxFixesPerCheck: 2 })).toMatchObject([{ do: 'finish', result: 'limit' }]);
      expect(effects(events, { tasks, maxFixesPerCheck: 3 })).toMatchObject([{ step: 'plan' }]);
    },
  );

  test('what is seen of another head counts for nothing: the branch is compared first (R-PR-10)', () => {
    expect(look({ pullRequest: { head: 'theirs' }, checks: [check('build', 'passed')] })).toMatchObject([
      { step: 'compare' },
    ]);
  });
});

describe('reviews', () => {
  const asked = thread('t1', comment('a'));

  test('a thread becomes a task once the checks are green; one without rights or a bot that is not listed is not heard (R-PR-3, R-PR-4)', () => {
    expect(look({ threads: [asked], checks: [check('build', 'failed')] })).toMatchObject([
      { step: 'plan', findings: [{ kind: 'check' }] },
    ]);
    expect(look({ threads: [asked, thread('t2', comment('b'))] })).toMatchObject([
      { step: 'plan', findings: [{ kind: 'thread', thread: { id: 't1' } }, { thread: { id: 't2' } }] },
    ]);
    for (const deaf of [eve, bot])
      expect(look({ threads: [thread('t1', comment('a', deaf))] })).toMatchObject([{ step: 'record' }]);
    const heard = [...before, seen({ threads: [thread('t1', comment('a', bot))] })];
    expect(effects(heard, { bots: ['lint[bot]'] })).toMatchObject([{ step: 'plan' }]);
  });

  test('the same comment never makes two tasks, an edited one makes another, one with our answer none (R-PR-3, R-PR-12)', () => {
    const [plan] = look({ threads: [asked] });
    const origin = plan && 'findings' in plan ? plan.findings[0]?.origin : undefined;
    const words = origin && 'words' in origin ? origin.words : '';
    const tasks = [one, plannedTask('5.1', { checked: true, from: `thread t1 a ${words}` })];
    expect(effects([...before, seen({ threads: [asked] })], { tasks })).toMatchObject([
      { step: 'answer', task: '5.1', to: { thread: 't1', comment: 'a' } },
    ]);
    const edited = thread('t1', comment('a', ada, 'In other words.'));
    expect(effects([...before, seen({ threads: [edited] })], { tasks })).toMatchObject([{ step: 'plan' }]);
    const answered = thread('t1', comment('a'), comment('b', me, `Done.\n\n${markOf('a')}`));
    expect(look({ threads: [answered] })).toMatchObject([{ step: 'record' }]);
    const forged = thread('t1', comment('a'), comment('b', eve, markOf('a')));
    expect(look({ threads: [forged] })).toMatchObject([{ step: 'plan' }]);
  });

  test('after the last answer it is looked once more, before anything is concluded from what was seen (R-PR-5)', () => {
    const request = comment('r1', ada, '');
    const answered: RunEvent = {
      type: 'comment-answered',
      at: at(4),
      to: { kind: 'review', review: 'r1', author: 'ada' },
    };
    expect(effects([...before, seen({ changesRequested: [request] }), answered])).toMatchObject([{ step: 'look' }]);
  });

  test('a pull request that somebody turned to a draft waits for them, one that we opened so does not (R-PR-11)', () => {
    const recorded: RunEvent = { type: 'lifecycle-recorded', at: at(4), head: 'c0', done: [] };
    const events = [...before, seen({ pullRequest: { isDraft: true } }), recorded];
    expect(effects(events)).toMatchObject([
      { do: 'finish', result: 'waiting', reason: expect.stringContaining('draft') },
    ]);
    expect(effects(events, { isDraft: true })).toMatchObject([{ do: 'finish', result: 'completed' }]);
  });

  test('a review without words is answered after its threads, one with words becomes a task (R-PR-3)', () => {
    expect(look({ changesRequested: [comment('r1', ada, 'Not like this.')] })).toMatchObject([
      { step: 'plan', findings: [{ kind: 'review' }] },
    ]);
    expect(look({ changesRequested: [comment('r1', ada, ' ')] })).toMatchObject([
      { step: 'answer', to: { kind: 'review', review: 'r1' } },
    ]);
    expect(look({ changesRequested: [comment('r1', ada, 'No.')], answeredReviews: ['r1'] })).toMatchObject([
      { step: 'record' },
    ]);
  });
});

describe('limits', () => {
  test('a wait that a stop cut short goes on to the same instant, in the next process (R-PR-5)', () => {
    const stop: RunEvent = { type: 'stop-requested', signal: 'SIGINT' };
    const halted: RunEvent = { type: 'run-halted', result: 'interrupted', reason: '' };
    const resumed: RunEvent = { type: 'run-resumed', head: 'c0' };
    for (const cut of [[stop, waited, halted, resumed], [resumed]])
      expect(effects([pushed(), opened, ...cut])).toMatchObject([
        { do: 'wait', pause: { untilMs: START + 3 * MINUTE } },
      ]);
  });

  test('looks and time are counted over restarts (R-PR-5)', () => {
    const resumed: RunEvent = { type: 'run-resumed', head: 'c0' };
    const pending = seen({ checks: [check('build', 'pending')] });
    const twice = [...before, pending, resumed, waited, pending];
    expect(effects(twice, { maxCycles: 3 })).toMatchObject([{ do: 'wait' }]);
    expect(effects(twice, { maxCycles: 2 })).toMatchObject([{ do: 'finish', result: 'limit' }]);
    const late: RunEvent = { ...(pending as RunEvent & { type: 'pull-request-seen' }), at: at(48 * 60) };
    expect(effects([...before, resumed, late])).toMatchObject([
      { do: 'finish', result: 'limit', reason: expect.stringContaining('48 hours') },
    ]);
  });

  test('trouble that passes is waited for, longer each time and no look; then all is looked at again (R-PR-5, R-PR-10)', () => {
    const failed: RunEvent = { type: 'forge-failed', at: at(3), trouble: 'unavailable', message: '502' };
    const first = after([...before, failed]);
    expect(first.effects).toMatchObject([{ do: 'wait', pause: { untilMs: START + 4 * MINUTE } }]);
    const second = begin(evolve(begin(evolve(first.state, waited)).state, failed));
    expect(second.effects).toMatchObject([{ do: 'wait', pause: { untilMs: START + 5 * MINUTE } }]);
    expect(second.state.pullRequest?.cycles).toBe(1);
    const answering = [...before, seen({ changesRequested: [comment('r1', ada, '')] }), failed, waited];
    expect(effects(answering)).toMatchObject([{ step: 'look' }]);
  });

  test('a time that the forge names is waited for (R-PR-5)', () => {
    const limited: RunEvent = { type: 'forge-failed', at: at(3), trouble: 'limited', message: '', retryAt: at(63) };
    expect(effects([...before, limited])).toMatchObject([{ do: 'wait', pause: { untilMs: START + 63 * MINUTE } }]);
  });

  test.each([
    ['denied', 'waiting'],
    ['signed-out', 'waiting'],
    ['refused', 'waiting'],
    ['not-understood', 'stuck'],
  ] as const)('what does not pass by itself ends the run: %s (R-PR-7)', (trouble, result) => {
    expect(effects([{ type: 'forge-failed', at: at(), trouble, message: 'No.' }])).toMatchObject([
      { do: 'finish', result },
    ]);
  });
});

describe('what others do', () => {
  const compared = (relation: 'ahead' | 'merged' | 'rewritten' | 'gone' | 'blocked', head = 't1'): RunEvent => ({
    type: 'branch-compared',
    at: at(4),
    relation,
    head,
  });
  const behind: RunEvent = { type: 'push-refused', at: at(), cause: 'behind', output: '' };

  test('a push that is refused as others pushed leads to a comparison, and never to force (R-PR-6, R-PR-11)', () => {
    expect(effects([behind])).toMatchObject([{ step: 'compare' }]);
    expect(effects([behind, compared('merged', 'm1')])).toMatchObject([{ step: 'push', commit: 'm1' }]);
  });

  test('what others added is taken in, with their tasks and with what is uncommitted then (R-PR-11, R-START-2)', () => {
    const ahead = { ...compared('ahead'), tasks: [one, plannedTask('2.1')], foreign: ['mine.txt'] } as RunEvent;
    const { state, effects: started } = after([...before, seen({ pullRequest: { head: 't1' } }), ahead]);
    expect(state).toMatchObject({ tip: 't1', foreign: ['mine.txt'], pullRequest: { pushed: 't1' } });
    expect(started).toMatchObject([{ do: 'delegate', task: '2.1', base: 't1' }]);
  });

  test.each(['rewritten', 'gone', 'blocked'] as const)(
    'a branch that is %s waits for a person (R-PR-11)',
    (relation) => {
      expect(effects([behind, compared(relation)])).toMatchObject([{ do: 'finish', result: 'waiting' }]);
    },
  );

  test('a pull request that is closed waits for a person; one that is merged with all of it is complete (R-PR-11)', () => {
    expect(look({ pullRequest: { state: 'closed' } })).toMatchObject([{ do: 'finish', result: 'waiting' }]);
    expect(look({ pullRequest: { state: 'merged' } })).toMatchObject([{ do: 'finish', result: 'completed' }]);
    expect(look({ pullRequest: { state: 'merged', head: 'old' } })).toMatchObject([
      { do: 'finish', result: 'waiting' },
    ]);
  });

  test('a merge in conflict is pushed only after its task is in the plan and done (R-PR-11)', () => {
    const conflict = seen({ pullRequest: { mergeable: 'conflict' } });
    expect(effects([...before, conflict])).toMatchObject([{ step: 'merge', base: 'main' }]);
    const merge = { base: 'main', theirs: 'b1', commit: 'm1', conflicts: ['a.ts'] };
    const merged: RunEvent = { type: 'base-merged', at: at(4), ...merge };
    const resumed: RunEvent = { type: 'run-resumed', head: 'm1' };
    for (const cut of [[], [resumed]])
      expect(effects([...before, conflict, merged, ...cut])).toMatchObject([{ step: 'adopt', ...merge }]);
    const planned: RunEvent = {
      type: 'tasks-planned',
      at: at(4),
      head: 'm2',
      inserted: [{ at: 1, tasks: [plannedTask('5.1', { from: 'base b1 main' })] }],
    };
    expect(effects([...before, conflict, merged, planned])).toMatchObject([
      { do: 'delegate', task: '5.1', base: 'm2' },
    ]);
  });

  test('where the plan itself is in conflict with the base, a person merges (R-PR-11)', () => {
    const merged: RunEvent = {
      type: 'base-merged',
      at: at(4),
      ...{ base: 'main', theirs: 'b1', commit: 'm1', conflicts: ['specs/demo/tasks.md'], isPlanInConflict: true },
    };
    expect(effects([...before, seen({ pullRequest: { mergeable: 'conflict' } }), merged])).toMatchObject([
      { do: 'finish', result: 'waiting', reason: expect.stringContaining('specs/demo/tasks.md') },
    ]);
  });
});
