import { expect, test } from 'vitest';
import { stepFor } from '../planning/steps.ts';
import type { RunState } from '../run/data/state.ts';
import { draftsNext, planningGoesOn } from './planning-command.ts';

type Run = Parameters<typeof planningGoesOn>[1];

/** A run that drafts the requirements and the design, the first of which is done. */
function run(more: {
  gates?: [boolean, boolean];
  quick?: true;
  ended?: string;
  rolledBack?: true;
  goal?: string;
}): Run {
  const { gates = [true, true], quick, ended, rolledBack, goal = "Don't crash" } = more;
  const planning = { spec: 'demo', path: 'specs/demo', goal, ...(quick && { isQuick: true }) };
  return {
    planning,
    tasks: [
      { checked: true, step: stepFor('requirements', gates[0]) },
      { checked: false, step: stepFor('design', gates[0]) },
      { checked: false, step: stepFor('tasks', gates[1]) },
    ],
    ...(ended && { ended: { result: ended, reason: '' } }),
    ...(rolledBack && { rollback: 'done' }),
  } as unknown as Pick<RunState, 'planning' | 'tasks' | 'rollback' | 'ended'>;
}

test.each<[string, Run, string]>([
  ['was cut off', run({}), 'start demo'],
  ['was given up', run({ ended: 'stuck' }), 'design demo'],
  ['came to a limit', run({ ended: 'limit', gates: [false, false] }), 'design demo --gates none'],
  ['came to a limit before its last gate', run({ ended: 'limit', gates: [false, true] }), 'design demo --gates final'],
  ['is quick and was cut off', run({ quick: true, gates: [false, false], ended: 'interrupted' }), 'start demo --quick'],
  ['is quick and came to a limit', run({ quick: true, gates: [false, false], ended: 'limit' }), 'design demo --quick'],
  [
    'is to stop before its tasks',
    run({ quick: true, gates: [false, true], ended: 'limit' }),
    'design demo --plan-only',
  ],
  [
    'took its drafts away',
    run({ quick: true, rolledBack: true, ended: 'stuck' }),
    "new demo 'Don'\\''t crash' --quick",
  ],
  ['has a long goal', run({ quick: true, rolledBack: true, goal: 'a\nb' }), 'new demo "GOAL" --quick'],
])('the command that goes on with a run of planning that %s (R-PLAN-3, R-PLAN-7)', (_what, state, command) => {
  expect(planningGoesOn('demo', state)).toBe(`specloop ${command}`);
});

test('the next document is drafted with the gates of the run (R-GATE-3)', () => {
  expect(draftsNext('demo', 'design', run({}))).toBe('specloop design demo');
  expect(draftsNext('demo', 'design', run({ quick: true, gates: [false, false] }))).toBe(
    'specloop design demo --quick',
  );
});
