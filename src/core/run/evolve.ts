import { oneLine } from '../text/sanitise.ts';
import { UserError } from '../user-error.ts';
import { commandsOf } from './added-command.ts';
import { noneAtOnce, notePaused } from './at-once.ts';
import { agentReturned, checked, recorded, setAside } from './attempt.ts';
import { holdStarted } from './awaiting.ts';
import { batchClosed, mergeConflicted, mergeRejected, openBatch } from './batch.ts';
import { commitBlocked } from './blocked.ts';
import { endOfPause, noteTime } from './choose-agent.ts';
import type { Carried } from './data/carried.ts';
import type { StartedEffect } from './data/effect.ts';
import type { EventOf, PlanAdded, RunEvent } from './data/event.ts';
import { isForAgent } from './data/hand-over.ts';
import type { RunState, TaskProgress } from './data/state.ts';
import { draftChecked, draftRecorded } from './drafts.ts';
import { commandsMeasured } from './measurement.ts';
import { modificationRefused, planModified } from './modification.ts';
import { begun, begunOf, expectAt, fail, move } from './moves.ts';
import { atRest, lifecycleWaited, lifecycleWaits, onPullRequest, stepStarted } from './pull-request.ts';
import { fixPlanned } from './recovery.ts';
import { testsRun } from './regression.ts';
import { reproduced } from './reproduction.ts';
import { resume } from './resume.ts';
import { held, ofNextAttempt, reviewed } from './review.ts';

/** Longest name of an event that is told, in characters. */
const EVENT_CHARS_MAX = 60;

const LOST = {
  layer: 'interrupted',
  text: 'The worktree of this attempt is missing, or git can no longer read it. Neither the work nor its Verify command may change its .git.',
} as const;

const UNCOMMITTED = {
  work: 'COMMIT REFUSED: a commit hook rejected the commit.',
  unfit: 'COMMIT FAILED: git cannot commit the work of this attempt.',
} as const;

/** Folds one event into the state. The only place where a run's state comes from. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (event.type === 'run-started') return started(event);
  if (state === undefined) throw new Error(`The journal begins with ${event.type} instead of run-started.`);
  const fold = EVENTS[event.type] as Transition<RunEvent>;
  return fold(state, event);
}

/** Whether this version knows what a line of a journal tells; a newer version may write more (R-FILE-7). */
export function isKnown({ v, event }: Written): boolean {
  if (v !== 1 || !Object.hasOwn(EVENTS, event.type)) return false;
  return event.type !== 'effect-started' || Object.hasOwn(STARTS, String(event.effect?.do));
}

/** A line of a journal, as far as it has to be read to tell which version wrote it. */
export interface Written {
  readonly v: unknown;
  readonly event: { readonly type: string; readonly effect?: { readonly do?: unknown } | null };
}

type Transition<E> = (state: RunState, event: E) => RunState;

/** What each event does to the state. */
const EVENTS: { readonly [T in RunEvent['type']]: Transition<EventOf<T>> } = {
  'run-started': (_, event) => started(event),
  'run-resumed': resume,
  'run-prepared': (state, event) => prepared(withPlan(state, event), event),
  'effect-started': effectStarted,
  'work-reported': (state) => state,
  'agent-returned': agentReturned,
  'task-checked': (state, event) => checked(withPlan(state, event), event),
  'check-cancelled': checkAgain,
  'work-lost': (state, { task }) => fail(state, task, LOST),
  'task-reviewed': reviewed,
  'work-held': (state, event) => held(withPlan(state, event), event),
  'task-committed': (state, event) => recorded(withPlan(state, event), event.task, event),
  'commit-refused': (state, { task, cause = 'work', output }) =>
    fail(state, task, { layer: 'commit', text: `${UNCOMMITTED[cause]}\n${output.trim()}` }),
  'commit-blocked': (state, event) => commitBlocked(event.task === undefined ? atRest(state) : state, event),
  'commit-slow': (state) => state,
  'work-set-aside': (state, event) => setAside(withPlan(state, event), event),
  'fix-planned': (state, event) => fixPlanned(withPlan(state, event), event),
  'plan-modified': (state, event) => planModified(withPlan(state, event), event),
  'modification-refused': modificationRefused,
  'questions-asked': setAside,
  'draft-checked': draftChecked,
  'draft-recorded': draftRecorded,
  'drafts-removed': (state) => ({ ...state, rollback: 'done' }),
  'batch-opened': (state, event) => openBatch(state, event, 'open'),
  'merge-conflicted': mergeConflicted,
  'merge-rejected': mergeRejected,
  'batch-closed': batchClosed,
  'tests-run': testsRun,
  'reproduction-run': reproduced,
  'reproduction-cancelled': ({ reality: _reality, ...state }) => state,
  'commands-measured': commandsMeasured,
  'measuring-cancelled': ({ measured: _measured, ...state }) => state,
  'tests-cancelled': (state) => ({ ...state, tests: { ...state.tests, isRunning: false } }),
  waited: (state, { task }) => (task === undefined ? lifecycleWaited(state) : waited(state, task)),
  'branch-pushed': onPullRequest,
  'push-refused': onPullRequest,
  'branch-compared': onPullRequest,
  'pull-request-opened': onPullRequest,
  'pull-request-seen': onPullRequest,
  'base-merged': onPullRequest,
  'check-rerun': onPullRequest,
  'tasks-planned': onPullRequest,
  'comment-answered': onPullRequest,
  'lifecycle-recorded': onPullRequest,
  'lifecycle-unproved': onPullRequest,
  'forge-failed': onPullRequest,
  'time-ran-out': (state, { limitMs }) => ({ ...state, outOfTime: { limitMs } }),
  'stop-requested': (state, { signal }) => ({ ...state, stopping: signal }),
  'run-finished': over,
  'run-halted': over,
};

/** What the start of each effect does to the state. */
const STARTS: { readonly [D in StartedEffect['do']]: Transition<Extract<StartedEffect, { do: D }>> } = {
  prepare: (state) => ({ ...state, phase: 'PREPARING' }),
  delegate: delegated,
  check: startsAt('returned', 'CHECKING'),
  review: reviewStarted,
  commit: startsAt('accepted', 'COMMITTING'),
  hold: holdStarted,
  'set-aside': startsAt('failed', 'SETTING-ASIDE'),
  'plan-fix': startsAt('wants-fix', 'PLANNING-FIX'),
  modify: startsAt('requested', 'MODIFYING'),
  'check-draft': startsAt('returned', 'CHECKING'),
  'record-draft': startsAt('accepted', 'COMMITTING'),
  'roll-back': (state) => ({ ...state, rollback: 'ROLLING-BACK' }),
  'open-batch': (state, effect) => openBatch(state, effect, 'OPENING'),
  'close-batch': (state) => (state.batch ? { ...state, batch: { ...state.batch, at: 'CLOSING' } } : state),
  test: (state) => ({ ...state, tests: { ...state.tests, isRunning: true } }),
  reproduce: (state) => ({ ...state, reality: 'RUNNING' }),
  measure: (state) => ({ ...state, measured: 'RUNNING' }),
  wait: paused,
  'pull-request': stepStarted,
  finish: (state) => ({ ...state, phase: 'FINISHING' }),
};

function effectStarted(state: RunState, { effect, holder }: EventOf<'effect-started'>): RunState {
  const after = (STARTS[effect.do] as Transition<StartedEffect>)(state, effect);
  if (holder === undefined || !isForAgent(effect)) return after;
  const progress = expectAt(after, effect.task, 'WORKING', 'REVIEWING');
  return move(after, effect.task, { ...progress, handOver: { effect, holder } });
}

/** The step of a task from rest to an effect that is under way. */
function startsAt(from: TaskProgress['at'], to: TaskProgress['at']): Transition<{ readonly task: string }> {
  return (state, { task }) => move(state, task, { ...expectAt(state, task, from), at: to } as TaskProgress);
}

function reviewStarted(state: RunState, { task }: { readonly task: string }): RunState {
  const progress = expectAt(state, task, 'accepted');
  return move(state, task, { ...progress, at: 'REVIEWING', review: { ...progress.review, begun: true } });
}

function over(state: RunState, { result, reason }: EventOf<'run-finished' | 'run-halted'>): RunState {
  return { ...state, phase: 'over', ended: { result, reason } };
}

function prepared(state: RunState, event: Extract<RunEvent, { type: 'run-prepared' }>): RunState {
  const { branch, head, foreign, byHand = [] } = event;
  const remarks = byHand.map((key) => [key, [{ word: 'ticked by hand', because: [] } as const]] as const);
  return {
    ...withDraftThere(state, head),
    phase: 'executing',
    branch,
    tip: head,
    foreign,
    remarks: new Map([...state.remarks, ...remarks]),
  };
}

/** Where the draft that is there is to be reviewed, it is taken as its author's answer (R-GATE-1). */
function withDraftThere(state: RunState, head: string): RunState {
  const task = state.planning?.reviewsFirst === true ? state.tasks.find(({ checked }) => !checked) : undefined;
  if (task === undefined) return state;
  const at = { ...state, tip: head };
  return move(at, task.key, { ...begun(at, task.key), at: 'returned', answer: { signal: 'positive', excerpt: '' } });
}

/**
 * A command was interrupted, in the task's own tree or on the merged one, or something changed the work after it was proved:
 * the claim still has to be proven. Work that is changed once more fails (R-VER-13).
 */
function checkAgain(state: RunState, { task, moved }: Extract<RunEvent, { type: 'check-cancelled' }>): RunState {
  const progress = expectAt(state, task, 'CHECKING', 'COMMITTING');
  const again = { ...begunOf(progress), at: 'returned', answer: progress.answer } as const;
  if (moved === undefined) return move(state, task, again);
  // No reviewer has seen what was changed.
  const review = ofNextAttempt(progress.review);
  if (!progress.movedOnce) return move(state, task, { ...again, review, movedOnce: true });
  return fail(state, task, {
    layer: 'verify',
    text: `VERIFY: ${moved.join(', ')} changed after the Verify command had passed, twice. Leave no process running that changes files of the work.`,
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
    'Use that version, or move the folder of the run away to start a new run; committed tasks stay done.',
  );
}

function started({
  policy,
  tasks,
  carried,
  globalIteration,
  driver,
  planning,
}: Extract<RunEvent, { type: 'run-started' }>): RunState {
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
    limitedUntilMs: new Map(),
    nowMs: 0,
    carried,
    ...(driver === undefined ? {} : { driver }),
    ...(planning === undefined ? {} : { planning }),
    drafts: new Map(),
    decided: [],
    splits: splitsIn(carried),
    reviews: new Map(),
    remarks: new Map(),
    learned: new Map(),
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

function delegated(state: RunState, { task, attempt, base }: Extract<StartedEffect, { do: 'delegate' }>): RunState {
  const after = { ...state, globalIteration: state.globalIteration + 1 };
  const { movedOnce: _movedOnce, noticed: _noticed, awaits: _awaits, review, ...fresh } = begun(state, task);
  return move(after, task, { ...fresh, review: ofNextAttempt(review), at: 'WORKING', attempt, base });
}

function waited(state: RunState, task: string): RunState {
  const { before, pause } = expectAt(state, task, 'PAUSED');
  return noteTime(notePaused(move(state, task, before)), endOfPause(pause));
}

function paused(state: RunState, { task, pause }: Extract<StartedEffect, { do: 'wait' }>): RunState {
  if (task === undefined) return lifecycleWaits(state, pause);
  const { pause: _over, ...before } = expectAt(state, task, 'waiting', 'accepted');
  return move(state, task, { ...begun(state, task), at: 'PAUSED', pause, before });
}
