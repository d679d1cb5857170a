import type { PlannedTask } from '../plan/data/planned-task.ts';
import { unreachable } from '../unreachable.ts';
import { isUntrusted, waitsForTrust } from './added-command.ts';
import { pauseOf } from './at-once.ts';
import { isToBePushed } from './awaiting.ts';
import { batchFrom, isTurn } from './batch.ts';
import { cleanUpTask, currentTask } from './candidate.ts';
import { agentFor } from './choose-agent.ts';
import type { Effect } from './data/effect.ts';
import { roleOf } from './data/role-of.ts';
import { type Batch, isUnderWay, progressOf, type RunState, taskOf } from './data/state.ts';
import { ending } from './ending.ts';
import { isInTree, laneOf } from './lane-of.ts';
import { dueMeasurement } from './measurement.ts';
import { nextOfLifecycle } from './pull-request.ts';
import { goesOn } from './question.ts';
import { dueTests } from './regression.ts';
import { dueReproduction } from './reproduction.ts';
import { isReviewDue } from './review.ts';

/** Decides what to start next, or nothing if the run can only wait. Same state, same answer. Called until it names nothing. */
export function next(state: RunState): Effect | undefined {
  switch (state.phase) {
    case 'starting':
      return state.gate ? finishing(state) : { do: 'prepare' };
    case 'executing':
      return nextInExecution(state);
    case 'PREPARING':
    case 'FINISHING':
    case 'over':
      return undefined;
    default:
      return unreachable(state.phase);
  }
}

/** What was begun is brought to rest first; then the run ends, or the next task begins. */
function nextInExecution(state: RunState): Effect | undefined {
  const begun = state.tasks.filter((task) => state.progress.has(task.key));
  for (const task of begun) {
    const effect = state.stopping || state.gate ? nextToRest(state, task) : nextOfBegun(state, task);
    if (effect && mayStart(state, effect)) return effect;
  }
  if (state.batch) return nextInBatch(state, state.batch, begun);
  if (
    isAnyUnderWay(state, begun) ||
    state.tests.isRunning ||
    state.reality === 'RUNNING' ||
    state.measured === 'RUNNING' ||
    isLifecycleUnderWay(state)
  )
    return undefined;
  if (state.rollback === 'ROLLING-BACK') return undefined;
  const end = ending(state);
  if (end?.result === 'stuck' && isToRollBack(state)) return { do: 'roll-back' };
  const task = end ? cleanUpTask(state) : currentTask(state);
  const tests = end ? undefined : dueTests(state, task);
  if (tests) return tests;
  const reproduction = end ? undefined : dueReproduction(state, { isTaskLeft: task !== undefined });
  if (reproduction) return reproduction;
  const measurement = end || task === undefined ? undefined : dueMeasurement(state);
  if (measurement) return measurement;
  const untrusted = task && waitsForTrust(state, task);
  if (untrusted) return { do: 'finish', ...(end ?? untrusted) };
  if (task) return begin(state, task);
  return end || state.planning !== undefined ? finishing(state) : nextOfLifecycle(state);
}

function finishing(state: RunState): Effect {
  return {
    do: 'finish',
    ...(ending(state) ?? { result: 'completed', reason: doneText(state) }),
  };
}

function doneText({ planning }: RunState): string {
  return planning === undefined ? 'Every task is verified and recorded.' : 'Every document is recorded.';
}

/** Members begin as long as there is room; when all have come to rest, the batch is closed (R-PAR-1, R-PAR-5). */
function nextInBatch(
  state: RunState,
  { at, members, base, out, isEnding }: Batch,
  begun: readonly PlannedTask[],
): Effect | undefined {
  if (at !== 'open') return undefined;
  const end = ending(state);
  const atWork = begun.filter(({ key }) => AT_WORK.has(progressOf(state, key).at)).length;
  if (!end && !isEnding && atWork < state.policy.jobs) {
    const waiting = members.find(
      (key) => !out.includes(key) && !taskOf(state, key).checked && progressOf(state, key).at === 'waiting',
    );
    if (waiting !== undefined) return pauseBefore(state, waiting) ?? delegate(state, taskOf(state, waiting), base);
  }
  if (isAnyUnderWay(state, begun)) return undefined;
  // Stopped: the members that wait for their turn wait for the next start.
  return end?.result === 'interrupted' || state.gate ? finishing(state) : { do: 'close-batch' };
}

/** The stages that count against `jobs`; a task that is being recorded or put aside no longer does. */
const AT_WORK: ReadonlySet<string> = new Set(['WORKING', 'PAUSED', 'CHECKING', 'REVIEWING']);

function isLifecycleUnderWay({ pullRequest }: RunState): boolean {
  return pullRequest?.underWay !== undefined;
}

function isAnyUnderWay(state: RunState, begun: readonly PlannedTask[]): boolean {
  return begun.some(({ key }) => isUnderWay(progressOf(state, key)));
}

/** The user's tree takes one change at a time; members are recorded in plan order, and the plan is repaired when none is at work. */
function mayStart(state: RunState, effect: Effect): boolean {
  switch (effect.do) {
    case 'commit':
    case 'hold':
      return !isTreeBusy(state) && isTurn(state, effect.task);
    case 'review':
      return isTurn(state, effect.task) && (effect.lane.kind === 'worktree' || !areOthersAtWork(state, effect.task));
    case 'modify':
    case 'record-draft':
      return !isTreeBusy(state);
    case 'set-aside':
      return effect.lane.kind === 'worktree' || !isTreeBusy(state);
    case 'plan-fix':
      return state.batch === undefined && !isTreeBusy(state);
    default:
      return true;
  }
}

/** Whether an effect is under way that writes the plan, moves the branch, or takes files out of the user's tree. */
function isTreeBusy(state: RunState): boolean {
  return [...state.progress].some(([key, { at }]) => {
    return TREE_EFFECTS.has(at) || ((at === 'SETTING-ASIDE' || at === 'REVIEWING') && isInTree(state, key));
  });
}

const TREE_EFFECTS: ReadonlySet<string> = new Set(['COMMITTING', 'HOLDING', 'MODIFYING', 'PLANNING-FIX']);

/** What a reviewer does to a tree is undone there, which must not meet the work of others. */
function areOthersAtWork({ progress }: RunState, key: string): boolean {
  return [...progress].some(([other, at]) => other !== key && isUnderWay(at));
}

/** The step that follows for a task that was begun and is at rest; nothing for one that has to be begun (again). */
function nextOfBegun(state: RunState, { key, step }: PlannedTask): Effect | undefined {
  const progress = progressOf(state, key);
  const at = { task: key, attempt: progress.attempt };
  const there = { ...at, lane: laneOf(state, key) };
  switch (progress.at) {
    case 'requested':
      return { do: 'modify', ...there };
    case 'returned':
      return { do: step === undefined ? 'check' : 'check-draft', ...there };
    case 'accepted':
      if (!isReviewDue(state, key)) return { do: recordOf(state, key), ...there };
      return progress.pause
        ? { do: 'wait', ...at, pause: progress.pause }
        : (pauseBefore(state, key) ?? {
            do: 'review',
            ...there,
            round: progress.review.rounds + 1,
            ...agentFor(state, 'reviewer'),
          });
    case 'faulted':
      return { do: 'hold', ...there };
    case 'wants-fix':
      return { do: 'plan-fix', ...at, fix: progress.fix, failure: progress.failure };
    case 'failed':
      return { do: 'set-aside', ...there, keepChanges: keepsChanges(state, key) };
    case 'waiting':
    case 'awaiting':
    case 'asking':
    case 'blocked':
    case 'gave-up':
    case 'PAUSED':
    case 'WORKING':
    case 'MODIFYING':
    case 'CHECKING':
    case 'REVIEWING':
    case 'COMMITTING':
    case 'HOLDING':
    case 'SETTING-ASIDE':
    case 'PLANNING-FIX':
      return undefined;
    default:
      return unreachable(progress);
  }
}

/** Whether a failure takes away what the run made: where no person saw it on the way (R-PLAN-3). */
function isToRollBack({ planning, rollback }: RunState): boolean {
  return planning?.before !== undefined && rollback === undefined;
}

/**
 * Whether the next attempt goes on in what this one left: a draft stays to be revised, unless its author was cut off in it. A
 * part of research that is there is one that was recorded.
 */
function keepsChanges(state: RunState, key: string): boolean {
  const progress = progressOf(state, key);
  const { step } = taskOf(state, key);
  if (step !== undefined)
    return step.topic === undefined && progress.at === 'failed' && progress.failure.layer !== 'interrupted';
  return state.policy.keepFailedChanges || goesOn(state, key);
}

/** How accepted work is recorded. */
function recordOf(state: RunState, key: string): 'hold' | 'commit' | 'record-draft' {
  if (taskOf(state, key).step !== undefined) return 'record-draft';
  return isToBePushed(state, key) ? 'hold' : 'commit';
}

/**
 * When the run is asked to stop, failed work is still kept and accepted work recorded; all else waits for the next start
 * (R-UX-3). Nothing is recorded while a commit waits for a person (R-ADV-5).
 */
function nextToRest(state: RunState, task: PlannedTask): Effect | undefined {
  const effect = nextOfBegun(state, task);
  if (effect?.do === 'set-aside') return effect;
  const isRecord = effect?.do === 'commit' || effect?.do === 'hold' || effect?.do === 'record-draft';
  return isRecord && !state.gate ? effect : undefined;
}

function begin(state: RunState, task: PlannedTask): Effect {
  const progress = progressOf(state, task.key);
  if (progress.at === 'waiting' && progress.pause)
    return { do: 'wait', task: task.key, attempt: progress.attempt, pause: progress.pause };
  const pause = pauseBefore(state, task.key);
  if (pause) return pause;
  const group = batchFrom(state, task);
  const added = group.findIndex((member) => isUntrusted(state, member));
  const batch = added < 0 ? group : group.slice(0, added);
  if (batch.length > 1) return { do: 'open-batch', members: batch.map(({ key }) => key), base: state.tip };
  return delegate(state, task, state.tip);
}

/** The wait before an attempt, if the ones before it ended at once (R-AGT-4). */
function pauseBefore(state: RunState, key: string): Effect | undefined {
  const pause = pauseOf(state);
  return pause && { do: 'wait', task: key, attempt: progressOf(state, key).attempt, pause };
}

function delegate(state: RunState, task: PlannedTask, base: string): Effect {
  const { key } = task;
  const { attempt } = progressOf(state, key);
  const role = roleOf(task);
  return { do: 'delegate', task: key, attempt, role, base, lane: laneOf(state, key), ...agentFor(state, role) };
}
