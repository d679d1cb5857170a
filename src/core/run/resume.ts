import { unreachable } from '../unreachable.ts';
import { commandsOf } from './added-command.ts';
import { recorded, unblock } from './attempt.ts';
import { heldBack } from './blocked.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState, TaskProgress } from './data/state.ts';
import { handOvers } from './drivers.ts';
import { holdsWork } from './holds-work.ts';
import { isInTree } from './lane-of.ts';
import { begunOf } from './moves.ts';
import { atRest } from './pull-request.ts';
import { answersTaken } from './questions.ts';
import { withAnswer } from './retry.ts';
import { held } from './review.ts';

type Resumed = Extract<RunEvent, { type: 'run-resumed' }>;

/**
 * Takes up a run that was interrupted or stopped. What was under way falls back to where its effect may be
 * carried out again; that is why every effect is safe twice (R-ADV-2).
 */
export function resume(from: RunState, event: Resumed): RunState {
  const before = atRest(from);
  const {
    stopping: _stopping,
    outOfTime: _outOfTime,
    ended: _ended,
    gate: _gate,
    driver: _driver,
    rollback,
    reality,
    measured,
    ...state
  } = withCommit(before, event);
  const tasks = event.tasks ?? state.tasks;
  const open = new Set(tasks.filter((task) => !task.checked).map((task) => task.key));
  const overtaken = handOvers(state).filter(
    ({ effect, holder }) => effect.do === 'delegate' && holder.driver !== event.driver,
  );
  const progress = new Map(
    [...state.progress].map(
      ([key, at]) => [key, isKept(at, event) ? at : fallBack(answeredBy(at, key, event), open, event.head)] as const,
    ),
  );
  const { batch: _batch, ...rest } = state;
  return {
    ...rest,
    ...(event.driver === undefined ? {} : { driver: event.driver }),
    ...(rollback === 'done' ? { rollback } : {}),
    ...(reality === undefined || reality === 'RUNNING' ? {} : { reality }),
    ...(measured === undefined || measured === 'RUNNING' ? {} : { measured }),
    ...(event.outOfTime === undefined ? {} : { outOfTime: event.outOfTime }),
    phase: state.branch === '' ? 'starting' : 'executing',
    policy: event.policy ?? state.policy,
    tasks,
    knownCommands: commandsOf(tasks),
    tip: [...progress].some(([key, at]) => holdsWork(at) && isInTree(state, key)) ? state.tip : event.head,
    ...reopened(state),
    tests: { ...state.tests, isRunning: false },
    foreign: event.foreign ?? state.foreign,
    // Whoever was overtaken did nothing wrong: the attempt does not count.
    globalIteration: state.globalIteration - overtaken.length,
    progress,
  };
}

/** A task that waits for an answer goes on with the one that it got (R-AGT-6). */
function answeredBy(progress: TaskProgress, key: string, { answers = [] }: Resumed): TaskProgress {
  if (progress.at === 'asking' && progress.questions !== undefined)
    return answersTaken(
      progress,
      answers.filter(({ task }) => task === key),
    );
  const given = progress.at === 'asking' ? answers.find(({ task }) => task === key) : undefined;
  return progress.at === 'asking' && given
    ? withAnswer(begunOf(progress), {
        question: progress.question,
        answer: given.answer,
        ...(progress.kept === undefined ? {} : { kept: progress.kept }),
      })
    : progress;
}

/** An effect that was handed over goes on, if the run still has the same driver. */
function isKept(progress: TaskProgress, { driver }: Resumed): boolean {
  return 'handOver' in progress && progress.handOver !== undefined && progress.handOver.holder.driver === driver;
}

/** A batch goes on with the worktrees that are there; one that had not begun is formed again. */
function reopened({ batch }: RunState): Pick<RunState, 'batch'> | object {
  return batch && batch.at !== 'OPENING' ? { batch: { ...batch, at: 'open' } } : {};
}

/** A commit that was under way and was made is taken as made. */
function withCommit(state: RunState, { recorded: found, head }: Resumed): RunState {
  if (found === undefined) return state;
  const { task, commit } = found;
  const progress = state.progress.get(task);
  if (progress?.at === 'HOLDING')
    return held(state, { type: 'work-held', task, attempt: progress.attempt, commit, head });
  return recorded(state, task, { commit, head });
}

/** Accepted work is measured again: the tree may have changed while no one watched. */
function fallBack(progress: TaskProgress, open: ReadonlySet<string>, head: string): TaskProgress {
  const begun = begunOf(progress);
  switch (progress.at) {
    case 'WORKING':
      if (progress.handOver)
        return {
          ...begun,
          at: 'failed',
          failure: { layer: 'interrupted', text: 'The run was taken over while this attempt was at work.' },
          blame: 'stop',
        };
      return {
        ...begun,
        at: 'failed',
        failure: { layer: 'interrupted', text: 'The coordinator ended during this attempt.' },
        blame: 'task',
        cutOff: true,
      };
    case 'MODIFYING':
      return { ...progress, at: 'requested' };
    case 'CHECKING':
    case 'accepted':
    case 'REVIEWING':
    case 'COMMITTING':
      return { ...begun, at: 'returned', answer: progress.answer };
    case 'HOLDING':
      return heldBack(progress);
    case 'SETTING-ASIDE':
      return { ...progress, at: 'failed' };
    case 'PLANNING-FIX':
      return { ...progress, at: 'wants-fix' };
    case 'PAUSED':
      return progress.before.at === 'accepted'
        ? fallBack(progress.before, open, head)
        : { ...progress.before, pause: progress.pause };
    case 'blocked':
      // A person may have ticked or removed the fix.
      return open.has(progress.by) ? progress : unblock(progress, head);
    case 'waiting':
    case 'awaiting':
    case 'asking':
    case 'requested':
    case 'returned':
    case 'faulted':
    case 'failed':
    case 'wants-fix':
    case 'gave-up':
      return progress;
    default:
      return unreachable(progress);
  }
}
