import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../run/data/event.ts';
import type { RunState } from '../../run/data/state.ts';
import {
  batch,
  begun,
  broken,
  checked,
  checking,
  claim,
  committing,
  delegated,
  envelopes,
  evidence,
  lastStep,
  recorded,
  rejected,
  returned,
  setAside,
  settingAside,
  task,
} from '../test-rig.ts';
import { taskEvidence, witness } from './evidence.ts';
import { taskRecord } from './record.ts';

const two = [task('1.1'), task('1.2', { title: 'Add the login form' })];

test('the record of a task tells each attempt: claim, measurements, layers, reason and work (R-VER-9)', () => {
  const journal = envelopes(
    begun(two),
    recorded('1.1'),
    rejected('1.2', 1, 'FAIL login\nexpected 200, got 500'),
    recorded('1.2', 2),
  );
  expect(taskRecord(journal, '1.2')).toBe(`# Task 1.2 Add the login form

Spec demo, run 20260101T120000Z-4f3a9c. Done in commit 4f1c9abdeadbeef0.

## Attempt 1: rejected at verify

Begun by the executor at 2026-01-01T12:01:30.000Z on c0ffee0123456789.

Claimed: completion after 8s.

The end of its answer:

\`\`\`text
All parts are in place.
TASK_COMPLETE
\`\`\`

Measured: branch feat/demo at c0ffee0123456789, 1 changed file:

- \`src/a.ts\`

Verify: \`npm test\`, exit code 1 after 1.5s.

\`\`\`text
FAIL login
expected 200, got 500
\`\`\`

Layers:

- signal: passed. The answer claims completion.
- contradiction: passed. The answer admits no failure.
- integrity: passed. Plan, state, branch and history are unchanged.
- bookkeeping: skipped. The coordinator ticks and commits.
- verify: failed. VERIFY: \`npm test\` exited with 1.

Rejected because VERIFY: \`npm test\` exited with 1.

The work is kept under \`refs/specloop/kept/demo/r/1.2/1\`.

## Attempt 2: accepted

Begun by the executor at 2026-01-01T12:02:30.000Z on c0ffee0123456789.

Claimed: completion after 8s.

The end of its answer:

\`\`\`text
All parts are in place.
TASK_COMPLETE
\`\`\`

Measured: branch feat/demo at c0ffee0123456789, 1 changed file:

- \`src/a.ts\`

Verify: \`npm test\`, exit code 0 after 1.5s.

\`\`\`text
3 passed
\`\`\`

Layers:

- signal: passed. The answer claims completion.
- contradiction: passed. The answer admits no failure.
- integrity: passed. Plan, state, branch and history are unchanged.
- bookkeeping: skipped. The coordinator ticks and commits.
- verify: passed. \`npm test\` exited with 0.
- scope: passed. Only files of the task were changed.
- commit: passed. Recorded in commit 4f1c9abdeadbeef0.

Accepted: every layer that applies passed.
`);
});

describe('the evidence of a task as data (R-VER-9)', () => {
  const evidenceOf = (...events: readonly (RunEvent | readonly RunEvent[])[]) =>
    taskEvidence(envelopes(begun(two), ...events), '1.1');
  const lastOf = (...events: readonly (RunEvent | readonly RunEvent[])[]) => evidenceOf(...events)?.attempts.at(-1);

  test('a task that was not begun has none', () => {
    expect(evidenceOf()).toBeUndefined();
    expect(taskRecord(envelopes(begun(two)), '1.1')).toBeUndefined();
  });

  test('it survives JSON without loss', () => {
    const found = evidenceOf(rejected('1.1'), recorded('1.1', 2));
    expect(JSON.parse(JSON.stringify(found))).toEqual(found);
    expect(found?.attempts.map(({ attempt, outcome }) => [attempt, outcome.is])).toEqual([
      [1, 'rejected'],
      [2, 'accepted'],
    ]);
  });

  test('a contradiction is a failed layer with the words of the admission (R-VER-2)', () => {
    expect(
      lastOf(delegated('1.1'), returned('1.1', { answer: { ...claim, admission: 'needs human' } }))?.layers,
    ).toEqual([
      { layer: 'signal', result: 'passed', detail: 'The answer claims completion.' },
      { layer: 'contradiction', result: 'failed', detail: 'needs human' },
    ]);
  });

  test('silence and an admitted failure are a failed signal (R-VER-1)', () => {
    const answered = (signal: 'none' | 'negative', more = {}) =>
      lastOf(delegated('1.1'), returned('1.1', { answer: { signal, excerpt: '', ...more } }));
    expect(answered('none')?.layers).toEqual([
      { layer: 'signal', result: 'failed', detail: 'The answer has no signal.' },
    ]);
    expect(answered('none', { missing: 'It stands only in a fence.' })?.layers[0]?.detail).toBe(
      'It stands only in a fence.',
    );
    expect(answered('negative')?.outcome).toMatchObject({ is: 'rejected', layer: 'signal' });
  });

  test('an attempt that a usage limit cut short is not counted, and its repetition stands beside it (R-DEL-7)', () => {
    const limited = returned('1.1', {
      how: 'rate-limited',
      message: 'Usage limit.',
      answer: { signal: 'none', excerpt: '' },
    });
    const found = evidenceOf(delegated('1.1'), limited, settingAside('1.1'), setAside('1.1'), recorded('1.1', 1));
    expect(found?.attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, { is: 'not-counted', reason: 'Usage limit.' }],
      [1, { is: 'accepted' }],
    ]);
  });

  test('an attempt during which the coordinator died is rejected as interrupted (R-RETRY-1)', () => {
    const found = lastOf(delegated('1.1'), { type: 'run-resumed', head: 'c0ffee0123456789' });
    expect(found?.outcome).toMatchObject({ is: 'rejected', layer: 'interrupted' });
    expect(found).not.toHaveProperty('claimed');
  });

  test('a commit that is found when the run is resumed accepts the attempt (R-ADV-2)', () => {
    const resumed: RunEvent = { type: 'run-resumed', head: 'c1', recorded: { task: '1.1', commit: 'c1' } };
    const found = evidenceOf(recorded('1.1').slice(0, 5), resumed);
    expect(found?.commit).toBe('c1');
    expect(found?.attempts.at(-1)?.outcome).toEqual({ is: 'accepted' });
  });

  test('a commit that a hook refuses is a failed layer (R-ADV-1)', () => {
    const refused: RunEvent = { type: 'commit-refused', task: '1.1', attempt: 1, output: 'lint' };
    expect(lastOf(recorded('1.1').slice(0, 4), committing('1.1'), refused)?.layers.at(-1)).toEqual({
      layer: 'commit',
      result: 'failed',
      detail: 'lint',
    });
  });

  test('a task that was split is not called accepted, nor one that no reviewer let pass without a word (R-MOD-3, R-VER-7)', () => {
    const before = taskEvidence(envelopes(begun(two), recorded('1.1').slice(0, 5)), '1.1');
    const commit = lastStep(begun(two), recorded('1.1'));
    const ended = (after: Partial<RunState>) =>
      witness(before, commit.envelope, { key: '1.1', after: { ...commit.after, ...after } })?.attempts.at(-1)?.outcome;
    expect(ended({ splits: new Map([['1.1.1', '1.1']]) })).toEqual({ is: 'split' });
    expect(ended({ reviews: new Map([['1.1', { status: 'unreviewed', findings: [] }]]) })).toEqual({
      is: 'accepted',
      review: 'unreviewed',
    });
  });

  test('a task that broke the proof of a neighbour is not done any more, and its record says why (R-PAR-5)', () => {
    const pair = [task('1.1', { parallel: true }), task('1.2', { parallel: true })];
    const found = taskEvidence(envelopes(begun(pair), batch('1.1', '1.2'), broken('1.2', '1.1')), '1.2');
    expect(found).not.toHaveProperty('commit');
    expect(found?.attempts.at(-1)?.outcome).toEqual({
      is: 'rejected',
      layer: 'merge',
      reason: 'MERGE: with this task, `npm test` (the Verify command of task 1.1) fails.\n1 failed',
    });
    expect(found?.attempts.at(-1)?.layers.at(-1)).toMatchObject({ layer: 'merge', result: 'failed' });
    expect(
      taskEvidence(envelopes(begun(pair), batch('1.1', '1.2'), broken('1.2', '1.1')), '1.1')?.commit,
    ).toBeDefined();
  });

  test('a merge conflict does not count, and is a failed layer all the same (R-PAR-3)', () => {
    const pair = [task('1.1', { parallel: true }), task('1.2', { parallel: true })];
    const conflict: RunEvent = { type: 'merge-conflicted', task: '1.2', attempt: 1, paths: ['a.txt'] };
    const attempt = taskEvidence(envelopes(begun(pair), batch('1.1', '1.2').slice(0, -2), conflict), '1.2')
      ?.attempts[0];
    expect(attempt?.outcome.is).toBe('not-counted');
    expect(attempt?.layers.at(-1)).toMatchObject({ layer: 'merge', detail: expect.stringContaining('a.txt') });
  });

  test('what was put right is noted (R-VER-3)', () => {
    const found = evidence(
      {},
      { plan: { violations: ['the box of 1.2 was ticked'], additions: [], ownTicked: false }, verify: [] },
    );
    const attempt = lastOf(
      delegated('1.1'),
      returned('1.1'),
      checking('1.1'),
      checked('1.1', found),
      settingAside('1.1'),
      setAside('1.1', 1, { repaired: ['tasks.md: the box of 1.2 was ticked'] }),
    );
    expect(attempt?.notes).toEqual(['Put back: tasks.md: the box of 1.2 was ticked']);
    expect(attempt?.layers.at(-1)).toMatchObject({ layer: 'integrity', result: 'failed' });
  });
});

describe('what agents print cannot break the record (R-SEC-2)', () => {
  test('a fence is longer than any in the text', () => {
    const record = taskRecord(envelopes(begun(two), rejected('1.1', 1, '```\n# Forged heading\n````')), '1.1');
    expect(record).toContain('`````text\n```\n# Forged heading\n````\n`````');
  });

  test('a command with backticks stands in a longer code span', () => {
    const record = taskRecord(
      envelopes(
        begun(two),
        delegated('1.1'),
        returned('1.1'),
        checking('1.1'),
        checked('1.1', evidence({ command: 'echo `date`' })),
      ),
      '1.1',
    );
    expect(record).toContain('Verify: `` echo `date` ``, exit code 0');
  });

  test('escapes and invisible characters are neutralised everywhere', () => {
    const hostile = '\x1b[2J\x9b1m\u202e';
    const end = returned('1.1', { how: 'failed', message: hostile, answer: { signal: 'none', excerpt: hostile } });
    const journal = envelopes(
      begun([task('1.1', { title: hostile })]),
      delegated('1.1'),
      end,
      settingAside('1.1'),
      setAside('1.1', 1, { repaired: [hostile] }),
    );
    expect(taskRecord(journal, '1.1')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});
