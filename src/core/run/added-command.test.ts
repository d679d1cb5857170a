import { expect, test } from 'vitest';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import { defaultPolicy } from '../policy.ts';
import { isUntrusted, mayBeAdded } from './added-command.ts';
import { nothingCarried } from './data/carried.ts';
import type { RunState } from './data/state.ts';
import { evolve } from './evolve.ts';
import { next } from './next.ts';

function planned(id: string, verifyCommand: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    key: id,
    id,
    title: 'A',
    checked: false,
    parallel: false,
    verify: false,
    files: [`${id}.txt`],
    filesKnown: true,
    verifyKind: 'command',
    verifyCommand,
    commitKind: 'none',
    commit: null,
    ...more,
  };
}

const first = planned('1.1', 'npm test', { checked: true });

/** A run that began with the first task, and whose plan grew since. */
function grown(added: readonly PlannedTask[], holdsAddedCommands: boolean): RunState {
  const policy = { ...defaultPolicy(2), jobs: 4, holdsAddedCommands };
  const started = {
    type: 'run-started',
    policy,
    tasks: [first],
    agents: '',
    carried: nothingCarried,
    globalIteration: 0,
  } as const;
  const prepared = { type: 'run-prepared', branch: 'feat/demo', head: 'c0', foreign: [], notes: [] } as const;
  return { ...evolve(evolve(undefined, started), prepared), tasks: [first, ...added] };
}

test('a run waits before a task whose command came into the plan during the run (R-SEC-1)', () => {
  const state = grown([planned('1.2', 'touch pwned')], true);
  expect(next(state)).toMatchObject({
    do: 'finish',
    result: 'waiting',
    reason: expect.stringContaining('touch pwned'),
  });
  const named = { ...state, policy: { ...state.policy, trustCommand: 'specloop trust demo' } };
  expect(next(named)).toMatchObject({ reason: expect.stringContaining('trust it with "specloop trust demo"') });
});

test('a command that is trusted already is run, and any with trust for this start (R-SEC-1)', () => {
  expect(next(grown([planned('1.2', 'npm test')], true))).toMatchObject({ do: 'delegate', task: '1.2' });
  expect(next(grown([planned('1.2', 'touch pwned')], false))).toMatchObject({ do: 'delegate', task: '1.2' });
});

test('a start asks for trust in the whole plan, so the run goes on after it (R-SEC-1)', () => {
  const resumed = evolve(grown([planned('1.2', 'touch pwned')], true), { type: 'run-resumed', head: 'c1' });
  expect(next(resumed)).toMatchObject({ do: 'delegate', task: '1.2' });
});

test('such a task joins no batch (R-SEC-1)', () => {
  const members = [planned('1.2', 'npm test', { parallel: true }), planned('1.3', 'touch pwned', { parallel: true })];
  expect(next(grown(members, true))).toMatchObject({ do: 'delegate', task: '1.2' });
});

test('the test command and the search for conflict markers need no trust of their own, wherever they appear (R-SEC-1, R-PR-11)', () => {
  const markers = "! git grep -nE '^(<{7}|>{7})' -- a.txt && npm run all";
  const state = grown([planned('1.2', 'npm run all'), planned('1.3', markers)], true);
  const trusting = { ...state, policy: { ...state.policy, testCommand: 'npm run all' } };
  expect([
    isUntrusted(trusting, planned('1.2', 'npm run all')),
    isUntrusted(trusting, planned('1.3', markers)),
  ]).toEqual([false, false]);
  expect(isUntrusted(state, planned('1.3', markers))).toBe(true);
  expect([mayBeAdded(trusting, 'npm run all'), mayBeAdded(trusting, 'make evil')]).toEqual([true, false]);
});
