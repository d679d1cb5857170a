import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '../policy.ts';
import { fine, plannedTask } from '../run/test-rig.ts';
import type { Evidence } from './evidence.ts';
import { type Judged, judge, mayVerify } from './judge.ts';

const run = { command: 'npm test', how: 'exited', exitCode: 0, output: '', durationMs: 1 } as const;
const judged = (more: Partial<Judged> = {}): Judged => ({
  task: plannedTask('1.1', { files: ['a.ts', 'b.ts'], filesKnown: true }),
  policy: defaultPolicy(1),
  branch: 'feat/demo',
  base: 'c0',
  commands: ['npm test'],
  isHeld: false,
  isToChange: true,
  wasUnchanged: false,
  ...more,
});
const failureOf = (more: Partial<Evidence>, about: Partial<Judged> = {}) =>
  judge(fine('c0', { verify: [run], ...more }), judged(about)).failure;
const nothing = { changedFiles: [], changedFilesTotal: 0 };

describe('an attempt that changed no file (R-VER-12)', () => {
  test('is rejected once, although its command passes', () => {
    expect(failureOf(nothing)).toMatchObject({ layer: 'change', text: expect.stringContaining('names a.ts, b.ts') });
  });

  test('is rejected with the output of its command, where that fails (R-VER-5)', () => {
    expect(mayVerify(fine('c0', nothing), judged())).toBe(true);
    expect(failureOf({ ...nothing, verify: [{ ...run, exitCode: 1 }] })?.layer).toBe('verify');
  });

  test('is accepted as unchanged the next time, when its command passes', () => {
    const verdict = judge(fine('c0', { ...nothing, verify: [run] }), judged({ wasUnchanged: true }));
    expect(verdict).toMatchObject({ unchanged: true });
    expect(verdict.failure).toBeUndefined();
    expect(verdict.layers.at(-1)).toMatchObject({ layer: 'scope', detail: 'No file was changed.' });
    expect(failureOf({ ...nothing, verify: [{ ...run, exitCode: 1 }] }, { wasUnchanged: true })?.layer).toBe('verify');
  });

  test('is never accepted where neither a command nor a reviewer looks', () => {
    const off = { ...defaultPolicy(1), review: 'off' } as const;
    expect(failureOf(nothing, { wasUnchanged: true, commands: [], policy: off })?.layer).toBe('change');
    expect(failureOf(nothing, { wasUnchanged: true, commands: [] })).toBeUndefined();
  });

  test('is accepted as unchanged at once where it wrote files as they were', () => {
    const verdict = judge(fine('c0', { ...nothing, rewritten: ['a.ts'], verify: [run] }), judged());
    expect(verdict.failure).toBeUndefined();
    expect(verdict).toMatchObject({ unchanged: true });
  });

  test('is nothing to speak of where there is nothing to change', () => {
    expect(failureOf(nothing, { isToChange: false })).toBeUndefined();
    expect(judge(fine('c0', { verify: [run] }), judged()).unchanged).toBeUndefined();
  });
});

describe('an agent that keeps the books (R-VER-4)', () => {
  const byAgent = { policy: { ...defaultPolicy(1), bookkeeping: 'agent' } } as const;
  const ticked = { plan: { violations: [], additions: [], ownTicked: true } };

  test('has to commit the files of the spec', () => {
    expect(failureOf({ ...ticked, uncommittedSpecFiles: ['specs/demo/tasks.md'] }, byAgent)).toEqual({
      layer: 'bookkeeping',
      text: 'UNCOMMITTED SPEC FILES: specs/demo/tasks.md',
    });
  });

  test('has to tick the box of its task', () => {
    expect(failureOf({}, byAgent)).toEqual({
      layer: 'bookkeeping',
      text: 'MISSING TICK: the box of task 1.1 is not ticked.',
    });
    expect(failureOf(ticked, byAgent)).toBeUndefined();
  });

  test('is not judged further before it has: no command is run', () => {
    expect(mayVerify(fine('c0'), judged(byAgent))).toBe(false);
    expect(mayVerify(fine('c0', ticked), judged(byAgent))).toBe(true);
  });

  test('is asked for neither where the coordinator keeps them, nor for work that it has committed', () => {
    const undone = { uncommittedSpecFiles: ['specs/demo/tasks.md'] };
    expect(failureOf(undone)).toBeUndefined();
    expect(failureOf(undone, { ...byAgent, isHeld: true })).toBeUndefined();
  });
});

describe('a fix task (R-VER-8)', () => {
  const task = plannedTask('1.1.1', { fixes: '1.1', files: ['a.ts'], filesKnown: true });
  const policy = { ...defaultPolicy(2), bookkeeping: 'agent', scope: 'enforce' } as const;
  const ofFix = { task, policy, commands: [], isToChange: false };
  const poor = { uncommittedSpecFiles: ['specs/demo/tasks.md'], outOfScope: ['b.ts'] };

  test('leaves bookkeeping, Verify command and scope to its original', () => {
    const { layers, failure } = judge(fine('c0', { ...poor, verify: [] }), judged(ofFix));
    expect(failure).toBeUndefined();
    expect(layers.map(({ layer, result }) => `${layer} ${result}`)).toEqual([
      'integrity passed',
      'bookkeeping skipped',
      'verify skipped',
      'scope skipped',
    ]);
  });

  test('has to leave plan, state and history alone like any other', () => {
    expect(failureOf({ ...poor, stateFileTouched: true }, ofFix)?.layer).toBe('integrity');
  });
});

describe('what was proved and cannot be recorded (R-VER-13)', () => {
  test.each([
    [{ moved: { branch: 'other', head: 'c1' } }, 'It moved the working tree to other from feat/demo.'],
    [{ moved: { head: 'c1' } }, 'It moved the working tree to a detached HEAD from feat/demo.'],
    [{ moved: { branch: 'feat/demo', head: '0123456789' } }, 'It moved HEAD: a Verify command must not commit.'],
    [{ moved: { branch: 'feat/demo', head: 'c0', operation: 'merge' } }, 'It left a merge unfinished.'],
    [{ gone: ['a.ts'] }, 'It removed files of the work, or undid the change: a.ts.'],
    [{ unsettled: ['a.ts'] }, 'It rewrites files of the work each time it runs: a.ts.'],
  ])('%j is rejected by name', (proof, text) => {
    expect(failureOf({ proof })).toMatchObject({ layer: 'verify', text: expect.stringContaining(text) });
  });

  test.each([
    [{ path: 'a.ts', why: 'ignored', by: '.gitignore:2' }, 'a.ts is ignored by git (.gitignore:2)'],
    [{ path: 'web/a.ts', why: 'repository', by: 'web' }, 'web is a git repository of its own'],
    [{ path: 'a.ts', why: 'link', by: 'a.ts' }, 'a.ts is a link that leads out'],
    [{ path: 'd/a.ts', why: 'link', by: 'd' }, 'd/a.ts is reached through d, a link'],
    [{ path: 'lib/a.ts', why: 'submodule', by: 'lib' }, 'Commit it in the submodule.'],
  ] as const)('%j is rejected with the reason', (found, text) => {
    expect(failureOf({ unrecordable: [found] })).toMatchObject({
      layer: 'integrity',
      text: expect.stringContaining(text),
    });
  });

  test('several files of one repository are one reason', () => {
    const files = ['web/a.ts', 'web/b.ts'].map((path) => ({ path, why: 'repository', by: 'web' }) as const);
    expect(failureOf({ unrecordable: files })?.text.match(/git repository of its own/g)).toHaveLength(1);
  });

  test('what was put back or proved once more is reported, and rejects nothing', () => {
    const proof = { rewritten: ['a.ts'], putBack: ['g'], setAside: ['c/l'], kept: 'refs/specloop/kept/x' };
    const { failure, layers } = judge(fine('c0', { verify: [run], proof }), judged());
    expect(failure).toBeUndefined();
    expect(layers.find(({ layer }) => layer === 'verify')?.detail).toBe(
      '`npm test` exited with 0. The Verify command rewrote a.ts; the new version was checked again. The Verify command changed g; put back, kept under refs/specloop/kept/x. The Verify command wrote c/l; set aside, kept under refs/specloop/kept/x.',
    );
  });
});
