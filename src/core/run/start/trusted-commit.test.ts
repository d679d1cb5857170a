import { expect, test } from 'vitest';
import type { Policy } from '../../policy.ts';
import type { RunEvent } from '../data/event.ts';
import { fold } from '../evolve.ts';
import {
  checked,
  checking,
  committed,
  committing,
  delegated,
  fine,
  plannedTask,
  returned,
  started,
  yes,
} from '../test-rig.ts';
import { trustedCommit } from './trusted-commit.ts';

const tasks = ['1.1', '1.2'].map((id) => plannedTask(id, { parallel: true, files: [`${id}.ts`], filesKnown: true }));
const record = { task: '1.1', commit: 'c1' };
const batch: readonly RunEvent[] = [{ type: 'batch-opened', members: ['1.1', '1.2'], base: 'c0' }];
const request = { kind: 'request', type: 'ADD_FOLLOWUP' } as never;

const ticked = fine('c0', { plan: { violations: [], additions: [], ownTicked: true } });
const done = [delegated('1.1'), returned('1.1'), checking('1.1'), checked('1.1', ticked), committing('1.1')];

function trusted(events: readonly RunEvent[], policy: Partial<Policy> = {}, recorded?: typeof record) {
  const state = fold([...started(tasks, policy), ...events]);
  if (state === undefined) throw new Error('There is no state.');
  return trustedCommit(state, { head: 'here', recorded });
}

test('where no agent was at work, the plan on disk is what a person left (R-ADV-2)', () => {
  expect(trusted([])).toBeUndefined();
  expect(trusted([...done, committed('1.1', 'c1')])).toBeUndefined();
  const refused: RunEvent = {
    type: 'commit-blocked',
    task: '1.1',
    attempt: 1,
    cause: 'signing',
    subject: '',
    output: '',
  };
  expect(trusted([...done, refused])).toBeUndefined();
  expect(trusted([...done, refused], { bookkeeping: 'agent' })).toBe('c0');
});

test("the plan of the run's last commit is trusted while an attempt may have written to the file (R-VER-3)", () => {
  expect(trusted([delegated('1.1')])).toBe('c0');
  expect(trusted([delegated('1.1'), returned('1.1', 1, { ...yes, request })])).toBe('c0');
});

test('a commit that was made all the same is the record, with its tick (R-ADV-2)', () => {
  expect(trusted(done, {}, record)).toBe('c1');
});

test("members that work elsewhere leave the plan of the user's branch alone, but a record may be half made (R-PAR-3)", () => {
  const policy = { jobs: 2, isolation: 'worktree' } as const;
  expect(trusted(batch, policy)).toBeUndefined();
  expect(trusted([...batch, delegated('1.1')], policy)).toBe('here');
  expect(trusted([...batch, delegated('1.1')], { jobs: 2, isolation: 'shared' })).toBe('c0');
  expect(trusted([...batch, delegated('1.1'), returned('1.1', 1, { ...yes, request })], policy)).toBe('c0');
});
