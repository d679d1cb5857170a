import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { Failure } from '../verify/failure.ts';
import type { Effect } from './data/effect.ts';
import type { RunEvent } from './data/event.ts';
import { type RunState, taskOf } from './data/state.ts';
import { lineage } from './fix-id.ts';
import { begun, move } from './moves.ts';
import { wantsFix, whyNotFixed } from './wants-fix.ts';

const OUTPUT_CHARS_MAX = 4_000;

/** The test run that is due before `coming` begins, or, without a task to come, before the run is complete (R-START-7, R-ADV-3). */
export function dueTests(
  { policy: { testCommand: command }, tests, tasks }: RunState,
  coming: PlannedTask | undefined,
): Effect | undefined {
  if (command === undefined) return undefined;
  if (tests.baseline === undefined) return { do: 'test', when: 'baseline', command, known: [] };
  if (tests.unseen === undefined) return undefined;
  const last = tasks.find((task) => task.key === tests.unseen);
  const known = tests.baseline;
  if (coming === undefined) return { do: 'test', when: 'end', command, known };
  return coming.phase === last?.phase ? undefined : { do: 'test', when: 'phase', command, known };
}

/** Failures that were not there before become a fix task of the newest task in recovery mode, else they stop the run. */
export function testsRun(
  state: RunState,
  { when, failures, output }: Extract<RunEvent, { type: 'tests-run' }>,
): RunState {
  const { unseen, ...rest } = state.tests;
  const tests = { ...rest, isRunning: false };
  if (when === 'baseline') return { ...state, tests: { ...tests, baseline: failures } };
  if (failures.length === 0 || unseen === undefined) return { ...state, tests };
  const text = `REGRESSION: tests fail that did not fail before:\n${failures.map((name) => `- ${name}`).join('\n')}`;
  const original = originalOf(state, unseen);
  const why = whyNotFixed(state, original.key);
  const stop = why === 'not-recovering' ? "ERROR: The project's tests fail." : why?.limit;
  if (stop !== undefined) return { ...state, tests: { ...tests, unseen, broken: `${stop}\n${text}` } };
  const failure: Failure = {
    layer: 'regression',
    text: `${text}\n${output.slice(-OUTPUT_CHARS_MAX)}`,
    error: `Regression: ${failures[0]}`,
  };
  return move(
    { ...state, tests },
    original.key,
    wantsFix(state, original.key, { from: begun(state, original.key), failure }),
  );
}

/** Fixes of a regression are counted where the line of fixes began, so that the limit holds. */
function originalOf(state: RunState, key: string): PlannedTask {
  const task = taskOf(state, key);
  const root = lineage(state.tasks, task).at(-1);
  return state.tasks.find(({ id }) => id === root) ?? task;
}
