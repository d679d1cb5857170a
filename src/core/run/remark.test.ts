import { describe, expect, test } from 'vitest';
import { evolve } from './evolve.ts';
import { progressWithTask } from './record/progress-text.ts';
import { remarkWords } from './remark.ts';
import { checked, committed, names, plannedTask, play, returned, yes } from './test-rig.ts';

const two = [plannedTask('1.1'), plannedTask('1.2')];
const doubtful = { ...yes, doubts: ['The export is stubbed for now.'] };
const accepted = [returned('1.1', 1, doubtful), checked('1.1')];

describe('a doubt in an answer (R-VER-11)', () => {
  test('rejects nothing, but makes a review of the task due', () => {
    expect(names(play(two, {}, returned('1.1'), checked('1.1')).effects)).toEqual(['commit 1.1']);
    expect(names(play(two, {}, ...accepted).effects)).toEqual(['review 1.1']);
  });

  test('is left behind by a review that passed, and stays visible where reviews are off', () => {
    const off = play(two, { review: 'off' }, ...accepted);
    expect(names(off.effects)).toEqual(['commit 1.1']);
    expect(progressWithTask(off.state, '1.1', '')).toContain('- Task 1.1: in doubt: The export is stubbed for now.');
    const after = evolve(off.state, committed('1.1', 'c1'));
    expect(remarkWords(after, '1.1')).toEqual(['in doubt']);
    const reviewed = play(two, {}, ...accepted, {
      type: 'task-reviewed',
      task: '1.1',
      attempt: 1,
      round: 1,
      how: 'completed',
      message: '',
      verdict: 'pass',
      findings: { code: [], spec: [] },
      excerpt: '',
      usage: {},
      durationMs: 1,
    });
    expect(remarkWords(evolve(reviewed.state, committed('1.1', 'c1')), '1.1')).toEqual([]);
  });

  test('stays visible beside unreviewed, in the order review, remark', () => {
    const unanswered = (round: number) =>
      ({
        type: 'task-reviewed',
        task: '1.1',
        attempt: 1,
        round,
        how: 'completed',
        message: '',
        verdict: 'none',
        findings: { code: [], spec: [] },
        excerpt: '',
        usage: {},
        durationMs: 1,
      }) as const;
    const { state } = play(two, {}, ...accepted, unanswered(1), unanswered(1));
    expect(remarkWords(evolve(state, committed('1.1', 'c1')), '1.1')).toEqual(['unreviewed', 'in doubt']);
  });

  test('of a task without one is no remark', () => {
    const { state } = play(two, {}, returned('1.1'), checked('1.1'));
    expect(remarkWords(evolve(state, committed('1.1', 'c1')), '1.1')).toEqual([]);
  });
});

describe('a task that no command can tell about (R-VER-9)', () => {
  const [proven, last] = two;
  const withFirst = (more: Parameters<typeof plannedTask>[1]) => [plannedTask('1.1', more), last ?? plannedTask('1.2')];
  const done = [returned('1.1'), checked('1.1')];
  const prose = withFirst({ verifyKind: 'prose', verifyCommand: null });

  test('gets a review of its own, and says so where reviews are off', () => {
    expect(names(play(prose, {}, ...done).effects)).toEqual(['review 1.1']);
    const off = play(prose, { review: 'off' }, ...done);
    expect(remarkWords(evolve(off.state, committed('1.1', 'c1')), '1.1')).toEqual(['checked by no command']);
    expect(progressWithTask(off.state, '1.1', '')).toContain('- Task 1.1: checked by no command: its Verify is prose');
  });

  test('is reviewed where its plan is, if it was planned without any Verify, and is reported all the same (R-VER-7)', () => {
    const { state, effects } = play(withFirst({ verifyKind: 'none', verifyCommand: null }), {}, ...done);
    expect(names(effects)).toEqual(['commit 1.1']);
    expect(remarkWords(evolve(state, committed('1.1', 'c1')), '1.1')).toEqual(['checked by no command']);
  });

  test('is one whose command cannot fail, and not one that a verifier or a real command checks', () => {
    const cannotFail = play(withFirst({ verifyCommand: 'npm test || true' }), { review: 'off' }, ...done);
    expect(remarkWords(evolve(cannotFail.state, committed('1.1', 'c1')), '1.1')).toEqual(['checked by no command']);
    for (const task of [proven, { ...prose[0], verify: true }, { ...prose[0], fixes: '1.0' }]) {
      const { state } = play(withFirst(task), { review: 'off' }, ...done);
      expect(remarkWords(evolve(state, committed('1.1', 'c1')), '1.1')).toEqual([]);
    }
  });
});
