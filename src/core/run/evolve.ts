import { oneLine } from '../text/sanitise.ts';
import { unreachable } from '../unreachable.ts';
import { UserError } from '../user-error.ts';
import { commandsOf } from './added-command.ts';
import { noneAtOnce, noteRest } from './at-once.ts';
import { agentReturned, checked, recorded, setAside } from './attempt.ts';
import { batchClosed, mergeConflicted, mergeRejected, openBatch } from './batch.ts';
import { commitBlocked } from './blocked.ts';
import type { Carried } from './carried.ts';
import type { Effect } from './effect.ts';
import type { PlanAdded, RunEvent } from './event.ts';
import { modificationRefused, planModified } from './modification.ts';
import { begun, begunOf, expectAt, fail, move } from './moves.ts';
import { fixPlanned } from './recovery.ts';
import { testsRun } from './regression.ts';
import { resume } from './resume.ts';
import { held, reviewed } from './review.ts';
import type { RunState } from './state.ts';

/** Longest name of an event that is told, in characters. */
const EVENT_CHARS_MAX = 60;

const UNCOMMITTED = {
  work: 'COMMIT REFUSED: a commit hook said no.',
  unfit: 'COMMIT FAILED: git cannot take what this attempt left.',
} as const;

/** Folds one event into the state. The only place where a run's state comes from. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (event.type === 'run-started') return started(event);
  if (state === undefined) throw new Error(`The journal begins with ${event.type} instead of run-started.`);
  switch (event.type) {
    case 'run-resumed':
      return resume(state, event);
    case 'run-prepared':
      return prepared(withPlan(state, event), event);
    case 'effect-started':
      return effectStarted(state, event.effect);
    case 'agent-returned':
      return agentReturned(state, event);
    case 'task-checked':
      return checked(withPlan(state, event), event);
    case 'check-cancelled':
      return checkAgain(state, event);
    case 'work-lost':
      return fail(state, event.task, {
        layer: 'interrupted',
        text: 'The worktree of this attempt is gone, or git cannot read it any more. Let neither the work nor its Verify command touch its .git.',
      });
    case 'task-reviewed':
      return reviewed(state, event);
    case 'work-held':
      return held(withPlan(state, event), event);
    case 'task-committed':
      return recorded(withPlan(state, event), event.task, event);
    case 'commit-refused':
      return fail(state, event.task, {
        layer: 'commit',
        text: `${UNCOMMITTED[event.cause ?? 'work']}\n${event.output.trim()}`,
      });
    case 'commit-blocked':
      return commitBlocked(state, event);
    case 'commit-slow':
      return state;
    case 'work-set-aside':
      return setAside(withPlan(state, event), event);
    case 'fix-planned':
      return fixPlanned(withPlan(state, event), event);
    case 'plan-modified':
      return planModified(withPlan(state, event), event);
    case 'modification-refused':
      return modificationRefused(state, event);
    case 'batch-opened':
      return openBatch(state, event, 'open');
    case 'merge-conflicted':
      return mergeConflicted(state, event);
    case 'merge-rejected':
      return mergeRejected(state, event);
    case 'batch-closed':
      return batchClosed(state, event);
    case 'tests-run':
      return testsRun(state, event);
    case 'tests-cancelled':
      return { ...state, tests: { ...state.tests, isRunning: false } };
    case 'waited':
      return waited(state, event.task);
    case 'time-ran-out':
      return { ...state, outOfTime: { limitMs: event.limitMs } };
    case 'stop-requested':
      return { ...state, stopping: event.signal };
    case 'run-finished':
    case 'run-halted':
      return { ...state, phase: 'over', ended: { result: event.result, reason: event.reason } };
    default:
      return unreachable(event);
  }
}

function prepared(state: RunState, event: Extract<RunEvent, { type: 'run-prepared' }>): RunState {
  const { branch, head, foreign, byHand = [] } = event;
  const remarks = byHand.map((key) => [key, [{ word: 'ticked by hand', because: [] } as const]] as const);
  return {
    ...state,
    phase: 'executing',
    branch,
    tip: head,
    foreign,
    remarks: new Map([...state.remarks, ...remarks]),
  };
}

/**
 * A command was cut off, in the task's own tree or on the merged one, or something changed the work after it was proved:
 * the claim still has to be proven. Work that is changed once more fails (R-VER-13).
 */
function checkAgain(state: RunState, { task, moved }: Extract<RunEvent, { type: 'check-cancelled' }>): RunState {
  const progress = expectAt(state, task, 'CHECKING', 'COMMITTING');
  const again = { ...begunOf(progress), at: 'returned', answer: progress.answer } as const;
  if (moved === undefined) return move(state, task, again);
  if (!progress.movedOnce) return move(state, task, { ...again, movedOnce: true });
  return fail(state, task, {
    layer: 'verify',
    text: `VERIFY: ${moved.join(', ')} changed after the Verify command had passed, twice. What is recorded has to be what was proved: leave nothing running that writes to the work.`,
  });
}

function withPlan(state: RunState, { tasks }: PlanAdded): RunState {
  return tasks ? { ...state, tasks } : state;
}

/** The state that these events fold to; `undefined` for none. Throws `UserError` for an event that is not understood. */
export function fold(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined;
  let number = 0;
  for (const event of events) {
    number++;
    try {
      state = evolve(state, event);
    } catch {
      throw notUnderstood(number, event);
    }
  }
  return state;
}

/** What is written down was understood by the version that wrote it. */
function notUnderstood(number: number, { type }: RunEvent): UserError {
  return new UserError(
    `Event ${number} of the run's journal, "${oneLine(type, EVENT_CHARS_MAX)}", is not understood by this version of specloop: it was probably written by a newer one.`,
    'Use that version, or move the folder of the run away to begin a new run; what is committed stays done.',
  );
}

function started({ policy, tasks, carried, globalIteration }: Extract<RunEvent, { type: 'run-started' }>): RunState {
  return {
    phase: 'starting',
    policy,
    tasks,
    progress: new Map(),
    branch: '',
    tip: '',
    foreign: [],
    knownCommands: commandsOf(tasks),
    globalIteration,
    spent: { costUsd: 0, tokens: 0 },
    carried,
    splits: splitsIn(carried),
    reviews: new Map(),
    remarks: new Map(),
    kept: new Map(),
    tests: { ...carried.tests, isRunning: false },
    alone: new Set(),
    owedReviews: new Map(),
    atOnce: noneAtOnce,
    alsoVerify: new Map(),
  };
}

/** Parts of a task that was split in an earlier run still answer for the whole (R-MOD-3). */
function splitsIn({ modifications }: Carried): RunState['splits'] {
  return new Map(
    Object.entries(modifications).flatMap(([whole, record]) =>
      record.modifications
        .filter(({ type }) => type === 'SPLIT_TASK')
        .flatMap(({ tasks }) => tasks.map((part) => [part, whole] as const)),
    ),
  );
}

function effectStarted(state: RunState, effect: Effect): RunState {
  switch (effect.do) {
    case 'prepare':
      return { ...state, phase: 'PREPARING' };
    case 'finish':
      return { ...state, phase: 'FINISHING' };
    case 'delegate':
      return delegated(state, effect);
    case 'check':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'returned'), at: 'CHECKING' });
    case 'review':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'accepted'), at: 'REVIEWING' });
    case 'commit':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'accepted'), at: 'COMMITTING' });
    case 'hold':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'faulted'), at: 'HOLDING' });
    case 'set-aside':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'failed'), at: 'SETTING-ASIDE' });
    case 'plan-fix':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'wants-fix'), at: 'PLANNING-FIX' });
    case 'modify':
      return move(state, effect.task, { ...expectAt(state, effect.task, 'requested'), at: 'MODIFYING' });
    case 'open-batch':
      return openBatch(state, effect, 'OPENING');
    case 'close-batch':
      return state.batch ? { ...state, batch: { ...state.batch, at: 'CLOSING' } } : state;
    case 'test':
      return { ...state, tests: { ...state.tests, isRunning: true } };
    case 'wait':
      return paused(state, effect);
    default:
      return unreachable(effect);
  }
}

function delegated(state: RunState, { task, attempt, base }: Extract<Effect, { do: 'delegate' }>): RunState {
  const after = { ...state, globalIteration: state.globalIteration + 1 };
  const { movedOnce: _movedOnce, noticed: _noticed, ...fresh } = begun(state, task);
  return move(after, task, { ...fresh, at: 'WORKING', attempt, base });
}

function paused(state: RunState, { task, pause }: Extract<Effect, { do: 'wait' }>): RunState {
  const { pause: _over, ...before } = expectAt(state, task, 'waiting', 'accepted');
  return move(state, task, { ...begun(state, task), at: 'PAUSED', pause, before });
}

function waited(state: RunState, task: string): RunState {
  return noteRest(move(state, task, expectAt(state, task, 'PAUSED').before));
}
