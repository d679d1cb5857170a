import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../run/data/event.ts';
import {
  batch,
  begun,
  broken,
  checked,
  checking,
  claim,
  committing,
  delegated,
  evidence,
  lastStep,
  recorded,
  rejected,
  returned,
  setAside,
  settingAside,
  steps,
  task,
} from '../test-rig.ts';
import { sentence } from './sentence.ts';

const two = [task('1.1', { checked: true }), task('1.2', { title: 'Add the login form' })];

/** What a whole run reads like. */
function story(...events: readonly (RunEvent | readonly RunEvent[])[]): string {
  return steps(...events)
    .flatMap(({ envelope, after }) => sentence(envelope, after) ?? [])
    .join('\n');
}

/** What the last event reads like. */
function last(...events: readonly (RunEvent | readonly RunEvent[])[]): string | undefined {
  const { envelope, after } = lastStep(...events);
  return sentence(envelope, after);
}

describe('a run in sentences', () => {
  test('a run reads from start to end, one line per thing worth knowing (R-UX-2, R-START-8)', () => {
    const finish: RunEvent = {
      type: 'run-finished',
      result: 'completed',
      reason: 'Every task is verified and recorded.',
      head: 'c1',
    };
    expect(
      story(begun(two), rejected('1.2', 1, 'FAIL login.test.ts\nexpected 200, got 500'), recorded('1.2', 2), finish),
    ).toBe(
      `demo: 1 of 2 tasks done, next is 1.2 Add the login form.
    agent: fake
    limits: 5 attempts a task, 100 in all
demo: on branch feat/demo at c0ffee0.
1.2 Add the login form: starting attempt 1 (executor).
1.2: agent finished; running \`npm test\`.
1.2: rejected at verify: \`npm test\` exited with 1.
    FAIL login.test.ts
    expected 200, got 500
1.2: the work of attempt 1 is kept under refs/specloop/kept/demo/r/1.2/1
1.2 Add the login form: starting attempt 2 (executor).
1.2: agent finished; running \`npm test\`.
1.2: done, commit 4f1c9ab
demo: run ended (completed).`,
    );
  });

  test('of a long output the last five lines are shown', () => {
    const output = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
    expect(last(begun(two), rejected('1.2', 1, output).slice(0, 4))).toBe(
      '1.2: rejected at verify: `npm test` exited with 1.\n    […]\n    line 35\n    line 36\n    line 37\n    line 38\n    line 39',
    );
  });

  test('a contradiction is named as the protocol does (R-VER-2)', () => {
    const answer = { ...claim, admission: 'This requires manual testing.' };
    expect(last(begun(two), delegated('1.2'), returned('1.2', { answer }))).toBe(
      '1.2: rejected at contradiction: CONTRADICTION: claimed completion while admitting failure\n    This requires manual testing.',
    );
  });

  test('an agent that did not get through reads differently from a rejected claim (R-DEL-7)', () => {
    const end = returned('1.2', {
      how: 'timed-out',
      message: 'The agent worked for more than 30 minutes.',
      answer: { signal: 'none', excerpt: '' },
    });
    expect(last(begun(two), delegated('1.2'), end)).toBe(
      '1.2: the attempt failed: The agent worked for more than 30 minutes.',
    );
  });

  test('a usage limit says until when the run waits (R-DEL-7)', () => {
    const limited = returned('1.2', {
      how: 'rate-limited',
      message: 'Usage limit reached.',
      resetsAt: '2026-01-01T15:00:00.000Z',
    });
    const aside = setAside('1.2', 1, { repaired: [] });
    const wait: RunEvent = {
      type: 'effect-started',
      effect: { do: 'wait', task: '1.2', attempt: 1, pause: { until: '2026-01-01T15:00:00.000Z' } },
    };
    expect(last(begun(two), delegated('1.2'), limited)).toBe(
      '1.2: the agent reached a usage limit: Usage limit reached.',
    );
    expect(last(begun(two), delegated('1.2'), limited, settingAside('1.2'), aside, wait)).toBe(
      '1.2: waiting until 2026-01-01T15:00:00.000Z for the usage limit to end; this does not count as an attempt.',
    );
  });

  test('changes outside Files and additions to the plan are reported although the work is accepted (R-VER-6, R-VER-3)', () => {
    const found = evidence(
      {},
      {
        outOfScope: ['README.md', 'b.ts'],
        plan: { violations: [], additions: ['task 1.3 Tidy up'], ownTicked: false },
      },
    );
    expect(last(begun(two), delegated('1.2'), returned('1.2'), checking('1.2'), checked('1.2', found))).toBe(
      '1.2: changed outside its Files: README.md, b.ts.\n1.2: kept what was added to the plan: task 1.3 Tidy up.',
    );
  });

  test('a commit that a hook refuses is a rejection with the words of the hook (R-ADV-1)', () => {
    const refused: RunEvent = { type: 'commit-refused', task: '1.2', attempt: 1, output: 'lint: 2 problems\n' };
    expect(last(begun(two), recorded('1.2').slice(0, 4), committing('1.2'), refused)).toBe(
      '1.2: rejected at commit: COMMIT REFUSED: a commit hook rejected the commit.\n    lint: 2 problems',
    );
  });

  test('what was put right, and that a task is given up, is said (R-VER-3, R-RETRY-1)', () => {
    const events = [begun(two, { maxTaskIterations: 1 }), rejected('1.2').slice(0, 5)];
    expect(last(...events, setAside('1.2', 1, { repaired: ['tasks.md: the box of 1.3 was ticked'] }))).toBe(
      '1.2: restored: tasks.md: the box of 1.3 was ticked\n1.2: the work of attempt 1 is kept under refs/specloop/kept/demo/r/1.2/1\n1.2: given up.',
    );
  });

  test('a resumed run says where it stands and what it found (R-ADV-2, R-START-2)', () => {
    const resumed: RunEvent = {
      type: 'run-resumed',
      head: 'c9',
      recorded: { task: '1.2', commit: '4f1c9abdead' },
      foreign: ['notes.txt'],
    };
    expect(last(begun(two), recorded('1.2').slice(0, 5), resumed)).toBe(
      `demo: resumed, 2 of 2 tasks done.
    1.2: done, found its commit 4f1c9ab
    Your uncommitted changes are not committed, and are restored if an attempt changes them: notes.txt.`,
    );
  });

  test('a wish to stop and a time limit are said at once (R-UX-3)', () => {
    expect(last(begun(two), { type: 'stop-requested', signal: 'SIGINT' })).toBe(
      'SIGINT: stopping; a second one stops everything at once.',
    );
    expect(last(begun(two), { type: 'time-ran-out', limitMs: 7_500_000 })).toBe(
      'Time limit of 2h05m reached; starting no more tasks.',
    );
  });
});

describe('a batch in sentences', () => {
  const pair = [task('1.1', { parallel: true }), task('1.2', { parallel: true })];

  test('the members of a batch of planning are steps (R-PLAN-2)', () => {
    const planning = { spec: 'demo', path: 'specs/demo', goal: 'g', goalClass: 'mid-sized', workflow: 'tdd' } as const;
    const planned = begun(pair).map((event) => (event.type === 'run-started' ? { ...event, planning } : event));
    expect(story(planned, batch('1.1', '1.2'))).toContain('Starting 2 steps in parallel: 1.1, 1.2.');
  });

  test('it reads from its opening to BATCH_COMPLETE (R-PAR-6)', () => {
    const closed: RunEvent = { type: 'batch-closed', broken: [], head: 'c3' };
    expect(story(begun(pair), batch('1.1', '1.2'), closed).split('\n').slice(4)).toEqual([
      'Starting 2 tasks in parallel: 1.1, 1.2.',
      '1.1 Add part 1.1: starting attempt 1 (executor).',
      '1.2 Add part 1.2: starting attempt 1 (executor).',
      '1.1: agent finished; running `npm test`.',
      '1.1: done, commit 4f1c9ab',
      '1.2: agent finished; running `npm test`.',
      '1.2: done, commit 4f1c9ab',
      'BATCH_COMPLETE',
    ]);
  });

  test('a task that broke the proof of a neighbour is said to be open again (R-PAR-5)', () => {
    expect(last(begun(pair), batch('1.1', '1.2'), broken('1.2', '1.1'))).toBe(
      'BATCH_COMPLETE\n    1.2 breaks `npm test` of 1.1: its box is open again.',
    );
  });

  test('a merge conflict is no failure of the task, a merged tree that fails its command is one (R-PAR-3)', () => {
    const merging = [begun(pair), batch('1.1', '1.2').slice(0, -2)];
    expect(last(...merging, { type: 'merge-conflicted', task: '1.2', attempt: 1, paths: ['a.txt'] })).toBe(
      '1.2: merge conflict in a.txt; the task runs again, alone.',
    );
    const rejection: RunEvent = { type: 'merge-rejected', task: '1.2', attempt: 1, command: 'npm test', output: 'no' };
    expect(last(...merging, rejection)).toBe(
      "1.2: rejected at merge: `npm test` passed in the task's own worktree, but fails on the merged tree.\n    no",
    );
  });
});

test('the sentences about the tests of the project differ by what they mean (R-START-7, R-ADV-3)', () => {
  const testing = (when: 'baseline' | 'end'): RunEvent => ({
    type: 'effect-started',
    effect: { do: 'test', when, command: 'npm test', known: [] },
  });
  const ran = (when: 'baseline' | 'end', failures: readonly string[]): RunEvent => ({
    type: 'tests-run',
    when,
    failures,
    output: '',
    durationMs: 61_000,
  });
  expect(last(begun(two), testing('baseline'))).toBe('Running the tests (baseline): `npm test`.');
  expect(last(begun(two), testing('baseline'), ran('baseline', ['a']))).toBe(
    'Before the first task the tests fail in 1 place; no task is blamed for these (1m01s).',
  );
  expect(last(begun(two), recorded('1.2'), testing('end'), ran('end', []))).toBe(
    'The tests found no regression (1m01s).',
  );
  expect(last(begun(two), recorded('1.2'), testing('end'), ran('end', ['adds', 'sub\x1b[2J']))).toBe(
    'Tests fail that did not fail before:\n    adds\n    sub',
  );
});

test('changes to what judges the work are reported although the work is accepted (R-VER-3)', () => {
  const found = evidence({}, { concerns: ['The test a.test.ts was deleted.'] });
  expect(last(begun(two), delegated('1.2'), returned('1.2'), checking('1.2'), checked('1.2', found))).toBe(
    '1.2: worth a look: The test a.test.ts was deleted.',
  );
});

describe('what agents say is harmless (R-SEC-2)', () => {
  const hostile = '\x1b[2J\x1b]0;owned\x07\x9b31mred\r\u202egnp.exe';

  test('escapes in output, messages, titles and paths reach no terminal', () => {
    const told = story(
      begun([task('1.1', { title: `Title ${hostile}` })]),
      rejected('1.1', 1, hostile),
      delegated('1.1', 2),
      returned('1.1', { attempt: 2, how: 'failed', message: hostile, answer: { signal: 'none', excerpt: hostile } }),
      settingAside('1.1', 2),
      setAside('1.1', 2, { repaired: [hostile] }),
      delegated('1.1', 3),
      returned('1.1', { attempt: 3 }),
      checking('1.1', 3),
      checked('1.1', evidence({}, { outOfScope: [hostile] }), 3),
    );
    expect(told).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(told).toContain('<U+202E>gnp.exe');
  });

  test('a line of output that looks like a line of specloop is indented, so that the two can be distinguished', () => {
    expect(last(begun(two), rejected('1.2', 1, '1.2: done, commit 4f1c9ab').slice(0, 4))).toContain(
      '\n    1.2: done, commit 4f1c9ab',
    );
  });

  test('a title cannot start a line of its own', () => {
    expect(last(begun([task('1.1', { title: 'x\n1.1: done' })]), delegated('1.1'))).toBe(
      '1.1 x 1.1: done: starting attempt 1 (executor).',
    );
  });
});

test('an event of a task that is not in the plan any more still reads', () => {
  const { envelope, after } = lastStep(begun(two), recorded('1.2'));
  expect(sentence(envelope, { ...after, tasks: [] })).toBe('1.2: done, commit 4f1c9ab');
});

test('who works on what was handed over, and who reported it, is said (R-SES-3)', () => {
  const holder = { driver: 'ci', token: 't1', until: '2030-01-31T09:00:00.000Z' };
  const started = { ...delegated('1.2', 1), holder } as RunEvent;
  expect(last(begun(two), started)).toBe(
    '1.2 Add the login form: starting attempt 1 (executor).\n1.2: handed over to ci until 2030-01-31T09:00:00.000Z.',
  );
  expect(last(begun(two), started, { type: 'work-reported', task: '1.2', attempt: 1, driver: 'ci' })).toBe(
    '1.2: ci reported its answer.',
  );
});

test('a question is shown as one, and not as a failure, unless it was answered before (R-AGT-6)', () => {
  const question = { signal: 'none', excerpt: '', question: 'Which database?' } as const;
  const asked = { ...returned('1.1'), answer: question } as RunEvent;
  expect(last(begun([task('1.1')]), delegated('1.1'), asked)).toBe('1.1: the agent asks: Which database?');
});
