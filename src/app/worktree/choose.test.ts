import { expect, test } from 'vitest';
import type { ListedWorktree } from '../../adapters/git/worktree-list.ts';
import { chooseWorktree, type Survey } from './choose.ts';

const main: ListedWorktree = { dir: '/repo', branch: 'main', isMain: true, folder: 'whole' };
const own: ListedWorktree = { dir: '/repo-demo', branch: 'feat/demo', isMain: false, folder: 'whole' };
const record = { dir: '/repo-demo', branch: 'feat/demo', at: 'c0', stage: 'ready', isUntouched: false } as const;
const unfinished = { branch: 'feat/demo', isUnfinished: true, isMerged: false };
const finished = { ...unfinished, isUnfinished: false };

function choose(survey: Partial<Survey>) {
  const nothing = {
    spec: 'demo',
    operand: 'demo',
    wanted: '/repo-demo',
    isVacant: true,
    trees: [main],
    branches: ['main'],
  };
  return chooseWorktree({ ...nothing, fresh: { branch: 'feat/demo', at: 'c1' }, ...survey });
}

const fresh = { is: 'missing', dir: '/repo-demo', branch: 'feat/demo', at: 'c1', forget: [], remove: [] };
const onOldBranch = { is: 'missing', dir: '/repo-demo', branch: 'feat/demo', forget: [], remove: [] };
const there = { is: 'there', dir: '/repo-demo', branch: 'feat/demo', isReady: true };

test('a spec without a worktree gets one beside the repository, on a branch of its own from here (R-START-2)', () => {
  expect(choose({})).toEqual(fresh);
  expect(choose({ branches: ['main', 'feat/demo'], fresh: { branch: 'feat/demo-2', at: 'c1' } })).toEqual({
    ...fresh,
    branch: 'feat/demo-2',
  });
});

test('the worktree that has the branch of the newest run is the one, wherever it is (R-ADV-2)', () => {
  const moved = { ...own, dir: '/elsewhere' };
  expect(choose({ trees: [main, moved], run: unfinished, isVacant: false })).toEqual({ ...there, dir: '/elsewhere' });
  expect(choose({ trees: [main, moved], run: finished })).toEqual({ ...there, dir: '/elsewhere' });
  const byHand = { ...moved, branch: 'work' };
  expect(choose({ trees: [main, byHand], run: { ...unfinished, branch: 'work' } })).toMatchObject({
    dir: '/elsewhere',
  });
  expect(choose({ trees: [main, byHand], run: { ...finished, branch: 'work' } })).toEqual(fresh);
});

test('a worktree that somebody made at its place, on a branch of the spec, is the one', () => {
  expect(choose({ trees: [main, { ...own, branch: 'feat/demo-2' }], isVacant: false })).toEqual({
    ...there,
    branch: 'feat/demo-2',
  });
});

test('one that is not ready yet is made ready first', () => {
  const trees = [main, own];
  expect(choose({ trees, record: { ...record, stage: 'filled' } })).toEqual({ ...there, isReady: false });
  expect(choose({ trees, record })).toEqual(there);
});

test('an unfinished run in the main tree is not taken away from there; one that is over is left alone', () => {
  const inMain = { ...main, branch: 'feat/demo' };
  const branches = ['main', 'feat/demo'];
  expect(choose({ trees: [inMain], branches, run: unfinished })).toMatchObject({
    is: 'refused',
    message: expect.stringContaining('/repo, on the branch feat/demo'),
    hint: expect.stringContaining('without --worktree'),
  });
  const next = { branch: 'feat/demo-2', at: 'c1' };
  expect(choose({ trees: [inMain], branches, run: finished, fresh: next })).toEqual({
    ...fresh,
    branch: 'feat/demo-2',
  });
});

test('the branch of an earlier run that nobody has checked out is checked out again, unless it is merged', () => {
  const branches = ['main', 'feat/demo'];
  const next = { branch: 'feat/demo-2', at: 'c1' };
  expect(choose({ branches, run: unfinished, fresh: next })).toEqual(onOldBranch);
  expect(choose({ branches, run: finished, fresh: next })).toEqual(onOldBranch);
  expect(choose({ branches, run: { ...finished, isMerged: true }, fresh: next })).toMatchObject(next);
  expect(choose({ branches, run: { ...finished, branch: 'main' }, fresh: next })).toMatchObject(next);
  expect(choose({ run: unfinished })).toEqual(fresh);
});

test('a worktree whose folder was deleted is forgotten and made again; a locked one is not', () => {
  const gone: ListedWorktree = { ...own, folder: 'gone' };
  const branches = ['main', 'feat/demo'];
  expect(choose({ trees: [main, gone], branches, run: unfinished, record })).toEqual({
    ...onOldBranch,
    forget: ['/repo-demo'],
  });
  const elsewhere = { ...gone, dir: '/elsewhere' };
  expect(choose({ trees: [main, elsewhere], branches, run: unfinished })).toMatchObject({ forget: ['/elsewhere'] });
  expect(choose({ trees: [main, { ...gone, locked: 'on a stick' }], branches, run: unfinished })).toMatchObject({
    is: 'refused',
    message: 'The worktree /repo-demo is missing, and git keeps it locked: on a stick.',
  });
});

test('what git was cut off in the middle of making is removed, and its branch made anew; nothing else is removed', () => {
  const half: ListedWorktree = { ...own, locked: 'initializing' };
  const survey = { trees: [main, half], branches: ['main', 'feat/demo'], isVacant: false };
  const adding = { ...record, stage: 'adding', isUntouched: true } as const;
  expect(choose({ ...survey, record: adding })).toEqual({ ...fresh, remove: ['/repo-demo'] });
  expect(choose({ ...survey, record: adding, trees: [main, { ...half, folder: 'gone' }] })).toMatchObject({
    remove: ['/repo-demo'],
  });
  expect(choose({ ...survey, record: adding, trees: [main, own] })).toEqual({ ...there, isReady: false });
  expect(choose(survey)).toEqual(there);
  expect(choose({ branches: survey.branches, record: adding, fresh: { branch: 'feat/demo-2', at: 'c1' } })).toEqual(
    fresh,
  );
});

test.each([
  ['something else', [], 'something else is there'],
  ['a worktree of another branch', [{ ...own, branch: 'work' }], 'a worktree of this repository on the branch work'],
  ['a worktree of another spec', [{ ...own, branch: 'feat/demo-more' }], 'on the branch feat/demo-more'],
  ['a worktree on no branch', [{ ...own, branch: undefined }], 'on a detached HEAD'],
  ['a worktree without its .git', [{ ...own, folder: 'damaged' } as const], 'its .git is gone'],
])('%s at the path is left alone, and the start refused', (_, trees, message) => {
  expect(choose({ trees: [main, ...trees], isVacant: false })).toMatchObject({
    is: 'refused',
    message: expect.stringContaining(message),
  });
});
