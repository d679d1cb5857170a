import { describe, expect, test } from 'vitest';
import type { BlockedBy, RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { evolve, fold } from './evolve.ts';
import { next } from './next.ts';
import {
  checked,
  checking,
  committing,
  delegated,
  fine,
  lane,
  names,
  plannedTask,
  play,
  returned,
  started,
} from './test-rig.ts';

const two = [plannedTask('1.1'), plannedTask('1.2')];
const resumed: RunEvent = { type: 'run-resumed', head: 'c0' };
const blocked = (cause: BlockedBy, task?: string): RunEvent => ({
  type: 'commit-blocked',
  ...(task === undefined ? {} : { task, attempt: 1 }),
  cause,
  subject: 'feat: 1.1',
  output: 'said the hook',
});

function given(...events: readonly RunEvent[]): RunState {
  const state = fold(events);
  if (state === undefined) throw new Error('no state');
  return state;
}

const waiting = (cause: BlockedBy) =>
  given(
    ...started(two),
    delegated('1.1'),
    returned('1.1'),
    checking('1.1'),
    checked('1.1'),
    committing('1.1'),
    blocked(cause, '1.1'),
  );

describe('a commit that no agent can mend', () => {
  test.each<[BlockedBy, string]>([
    ['message', 'Correct the Commit line of task 1.1 in the plan'],
    ['signing', 'Fix commit signing'],
    ['reference', 'Correct the hook'],
    ['own', 'set a message that it accepts under "commits"'],
  ])('stops the run with the words of the hook and what to do: %s (R-ADV-5)', (cause, remedy) => {
    const state = waiting(cause);
    expect(next(state)).toMatchObject({ do: 'finish', result: 'waiting', reason: state.gate?.reason });
    for (const said of ['said the hook', 'does not count as an attempt', remedy])
      expect(state.gate?.reason).toContain(said);
  });

  test('uses no attempt: the work is checked and committed when the run goes on (R-ADV-5)', () => {
    const state = waiting('signing');
    expect(state.progress.get('1.1')).toMatchObject({ at: 'accepted', attempt: 1, failures: [] });
    const again = evolve(state, resumed);
    expect(again.gate).toBeUndefined();
    expect(next(again)).toEqual({ do: 'check', task: '1.1', attempt: 1, lane });
    const rechecked = [checking('1.1'), checked('1.1')].reduce<RunState>((now, event) => evolve(now, event), again);
    expect(next(rechecked)).toEqual({ do: 'commit', task: '1.1', attempt: 1, lane });
  });

  test("of the coordinator's own is made again: the spec's at the start, the progress at the end (R-ADV-5)", () => {
    const [begun, preparing] = started(two);
    const atStart = given(...[begun, preparing].flatMap((event) => event ?? []), blocked('own'));
    expect([next(atStart), next(evolve(atStart, resumed))]).toMatchObject([
      { do: 'finish', result: 'waiting' },
      { do: 'prepare' },
    ]);
    const done = given(...started(two.map((task) => ({ ...task, checked: true }))));
    const finish = { do: 'finish', result: 'completed', reason: 'all' } as const;
    const atEnd = evolve(evolve(done, { type: 'effect-started', effect: finish }), blocked('own'));
    expect([next(atEnd), next(evolve(atEnd, resumed))]).toMatchObject([
      { do: 'finish', result: 'waiting' },
      { do: 'finish', result: 'completed' },
    ]);
  });

  test('lets members that are at work come to their end, and nothing begins or is recorded (R-ADV-5, R-PAR-3)', () => {
    const [one, two] = ['1.1', '1.2'].map((id) =>
      plannedTask(id, { parallel: true, files: [`${id}.ts`], filesKnown: true }),
    );
    const three = [one, two, plannedTask('1.3')].flatMap((task) => task ?? []);
    const policy = { jobs: 2, isolation: 'worktree', review: 'off' } as const;
    const repository = { branch: 'own', own: 'own', head: 'c0', keepsHistory: true };
    const first = [returned('1.1'), checked('1.1', fine('c0', { repository })), blocked('signing', '1.1')];
    const { state, effects } = play(three, policy, ...first);
    expect([names(effects), state.progress.get('1.2')?.at]).toEqual([[], 'WORKING']);
    expect(names(play(three, policy, ...first, returned('1.2')).effects)).toEqual(['finish']);
  });
});
