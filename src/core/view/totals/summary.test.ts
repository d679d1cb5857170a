import { expect, test } from 'vitest';
import { defaultPullRequestPolicy } from '../../pull-request/policy.ts';
import type { RunEvent } from '../../run/data/event.ts';
import { begun, delegated, envelopes, recorded, rejected, returned, task } from '../test-rig.ts';
import { type OverRun, summary } from './summary.ts';
import { tallyOf } from './tally.ts';

const two = [task('1.1'), task('1.2')];

function over(...events: readonly (RunEvent | readonly RunEvent[])[]): OverRun {
  const run = tallyOf(envelopes(...events));
  if (run === undefined) throw new Error('A run has at least one event.');
  return { spec: 'demo', ...run };
}

function told(...events: readonly (RunEvent | readonly RunEvent[])[]): readonly string[] {
  return summary(over(...events));
}

test('a complete run tells what it did and where the work is (R-UX-4)', () => {
  const finished: RunEvent = {
    type: 'run-finished',
    result: 'completed',
    reason: 'Every task is verified and recorded.',
    head: 'c2',
  };
  expect(told(begun(two), recorded('1.1'), recorded('1.2'), finished)).toEqual([
    'demo: complete. 2 of 2 tasks done, 2 attempts, 2m30s.',
    'The work is on the branch feat/demo.',
  ]);
});

test('a run that left tasks out says which, also where it is complete (R-PR-8)', () => {
  const reason = 'Every task is verified and recorded. The pull request is left out (--no-pr): 1.2.';
  const finished: RunEvent = { type: 'run-finished', result: 'completed', reason, head: 'c1' };
  expect(told(begun(two), recorded('1.1'), finished)).toContain(reason);
});

test('the last line goes on to the pull request; a run that is resumed knows it by itself (R-UX-4, R-PR-5, R-PR-8)', () => {
  const lastLine = (...events: readonly (RunEvent | readonly RunEvent[])[]) => {
    const run = over(...events);
    const policy = { ...run.state.policy, pullRequest: defaultPullRequestPolicy };
    return summary({ ...run, state: { ...run.state, policy } }).at(-1);
  };
  const halted: RunEvent = { type: 'run-halted', result: 'interrupted', reason: 'Stopped by SIGINT.' };
  const limit: RunEvent = { type: 'run-finished', result: 'limit', reason: 'ERROR: Enough.', head: 'c1' };
  expect(lastLine(begun(two), halted)).toBe('To resume, run `specloop implement demo`.');
  expect(lastLine(begun(two), recorded('1.1'), limit)).toBe('To continue, run `specloop implement demo --pr`.');
  expect(lastLine(begun(two), recorded('1.1'), recorded('1.2'), limit)).toBe('To continue, run `specloop pr demo`.');
});

test('a run in a worktree of its own ends in how to bring its work home, or in the command that goes on there (R-UX-4)', () => {
  const worktree = { dir: '/w', merge: 'git merge feat/demo', remove: 'git worktree remove /w' };
  const names = { worktree, command: 'specloop implement demo --worktree' };
  const finished: RunEvent = { type: 'run-finished', result: 'completed', reason: '', head: 'c2' };
  expect(summary({ ...over(begun(two), recorded('1.1'), finished), ...names }).at(-1)).toBe(
    'The work is on the branch feat/demo, in /w. Merge it with `git merge feat/demo`; then `git worktree remove /w`.',
  );
  const halted: RunEvent = { type: 'run-halted', result: 'interrupted', reason: 'Stopped by SIGINT.' };
  expect(summary({ ...over(begun(two), halted), ...names }).at(-1)).toBe(
    'To resume, run `specloop implement demo --worktree`.',
  );
});

test('a stuck run tells why, what was spent, where the failed work is kept, and ends in the command to go on (R-UX-4, R-RETRY-4)', () => {
  const costly = returned('1.1', { usage: { inputTokens: 12_000, outputTokens: 345, costUsd: 0.415 } });
  const reason =
    'ERROR: Max retries reached for task 0 after 2 attempts\nLast failure: VERIFY: `npm test` exited with 1.';
  const first = rejected('1.1', 1).map((event) => (event.type === 'agent-returned' ? costly : event));
  expect(
    told(begun(two), first, rejected('1.1', 2), { type: 'run-finished', result: 'stuck', reason, head: 'c0' }),
  ).toEqual([
    'demo: stuck. 0 of 2 tasks done, 2 attempts, 2 rejected claims, 2m30s, 0.41 USD, 12.3k tokens.',
    'ERROR: Max retries reached for task 0 after 2 attempts',
    'Last failure: VERIFY: `npm test` exited with 1.',
    'The work of these attempts is kept:',
    '  1.1, attempt 1: refs/specloop/kept/demo/r/1.1/1',
    '  1.1, attempt 2: refs/specloop/kept/demo/r/1.1/2',
    'To continue, run `specloop implement demo`.',
  ]);
});

test('the refs of one attempt are one line (R-RETRY-4)', () => {
  const run = over(begun(two), { type: 'run-finished', result: 'stuck', reason: 'No.', head: 'c0' });
  const kept = ['1', '1-2', '1-3'].map((last) => ({
    task: '1.1',
    attempt: 1,
    ref: `refs/specloop/kept/demo/r/1.1/${last}`,
  }));
  expect(summary({ ...run, tally: { ...run.tally, kept } }).filter((line) => line.includes('refs/'))).toEqual([
    '  1.1, attempt 1: refs/specloop/kept/demo/r/1.1/1-3 (also 1-2, 1)',
  ]);
});

test('refs that the reason names are not listed again', () => {
  const reason = 'ERROR: no\n  attempt 1: refs/specloop/kept/demo/r/1.1/1';
  expect(
    told(begun(two), rejected('1.1'), { type: 'run-finished', result: 'stuck', reason, head: 'c0' })
      .join('\n')
      .match(/refs\/specloop/g),
  ).toHaveLength(1);
});

test('an interrupted run ends in how to resume it (R-UX-3)', () => {
  const halted: RunEvent = { type: 'run-halted', result: 'interrupted', reason: 'Stopped by SIGINT.' };
  expect(told(begun(two), recorded('1.1'), halted)).toEqual([
    'demo: interrupted. 1 of 2 tasks done, 1 attempt, 1m30s.',
    'Stopped by SIGINT.',
    'To resume, run `specloop implement demo`.',
  ]);
});

test.each([
  ['limit', 'To continue, run `specloop implement demo`.'],
  ['waiting', 'Then run `specloop implement demo` to continue.'],
  ['abandoned', 'To start a new run on the branch as it is, run `specloop implement demo`.'],
] as const)('a run that ends with %s says what to do next in its last line (R-UX-4)', (result, next) => {
  expect(told(begun(two), { type: 'run-finished', result, reason: 'Because.', head: 'c0' }).at(-1)).toBe(next);
});

test('a fault, and a run that was cut off, can be resumed (R-UX-4)', () => {
  expect(told(begun(two), { type: 'run-halted', result: 'fault', reason: 'No space left.' }).at(-1)).toContain(
    'run `specloop implement demo` to resume',
  );
  expect(told(begun(two), delegated('1.1'))).toEqual([
    'demo: interrupted. 0 of 2 tasks done, 1 attempt, 30s.',
    'To resume, run `specloop implement demo`.',
  ]);
});

test('a long reason keeps its beginning and its end', () => {
  const reason = ['ERROR: why', ...Array.from({ length: 500 }, (_, n) => `output ${n}`), 'What to do.'].join('\n');
  const lines = told(begun(two), { type: 'run-finished', result: 'stuck', reason, head: 'c0' });
  expect(lines.length).toBeLessThan(42);
  expect(lines.slice(1, 3)).toEqual(['ERROR: why', 'output 0']);
  expect(lines.at(-2)).toBe('What to do.');
});

test('output of agents and commands in a reason is harmless (R-SEC-2)', () => {
  const lines = told(begun(two), {
    type: 'run-finished',
    result: 'stuck',
    reason: 'ERROR: \x1b[2Jx\x9b1m',
    head: 'c0',
  });
  expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
});

test('the time between two starts of a run is no time at work', () => {
  const [before, after] = [
    envelopes(begun(two), recorded('1.1')),
    envelopes({ type: 'run-resumed', head: 'c1' }, recorded('1.2')),
  ];
  const nextDay = after.map((envelope) => ({ ...envelope, at: envelope.at.replace('2026-01-01', '2026-01-02') }));
  expect(tallyOf([...before, ...nextDay])?.tally.activeMs).toBe(80_000 + 60_000);
});

test('work that no reviewer let pass is named (R-VER-7)', () => {
  const run = over(begun(two), recorded('1.1'), recorded('1.2'));
  const reviews = new Map([
    ['1.1', { status: 'unreviewed', findings: [] }],
    ['1.2', { status: 'accepted with findings', findings: ['x'] }],
  ] as const);
  const ended = { result: 'completed', reason: '' } as const;
  expect(summary({ ...run, state: { ...run.state, reviews, ended } }).slice(1, 3)).toEqual([
    'Accepted with findings: 1.2.',
    'Unreviewed: 1.1.',
  ]);
});

test('work that was accepted in doubt is named (R-VER-11)', () => {
  const run = over(begun(two), recorded('1.1'), recorded('1.2'));
  const remarks = new Map([['1.2', [{ word: 'in doubt', because: ['The export is stubbed.'] }]]] as const);
  const ended = { result: 'completed', reason: '' } as const;
  expect(summary({ ...run, state: { ...run.state, remarks, ended } })[1]).toBe('In doubt: 1.2.');
});
