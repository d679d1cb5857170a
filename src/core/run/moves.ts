import type { Failure } from '../verify/failure.ts';
import { type AtStage, type Begun, progressOf, type RunState, type TaskProgress } from './data/state.ts';

export function begunOf(from: Begun): Begun {
  const { attempt, base, start, failures, service, review, held, awaits, split, note, movedOnce, noticed } = from;
  const { answered, questionRounds, promptBytesMax } = from;
  return {
    attempt,
    base,
    start,
    failures,
    service,
    review,
    ...(held === undefined ? {} : { held }),
    ...(awaits === undefined ? {} : { awaits }),
    ...(split === undefined ? {} : { split }),
    ...(note === undefined ? {} : { note }),
    ...(answered === undefined ? {} : { answered }),
    ...(questionRounds === undefined ? {} : { questionRounds }),
    ...(promptBytesMax === undefined ? {} : { promptBytesMax }),
    ...(movedOnce === undefined ? {} : { movedOnce }),
    ...(noticed === undefined ? {} : { noticed }),
  };
}

export function begun(state: RunState, task: string): Begun {
  return begunOf(progressOf(state, task));
}

/** The state with one task moved on. */
export function move(state: RunState, task: string, progress: TaskProgress): RunState {
  return { ...state, progress: new Map(state.progress).set(task, progress) };
}

/** The state with one task's attempt failed by its own doing. */
export function fail(state: RunState, task: string, failure: Failure): RunState {
  return move(state, task, { ...begun(state, task), at: 'failed', failure, blame: 'task' });
}

/** A task's progress, which must be at one of these stages: an event that comes at another one is a bug or a forged journal. */
export function expectAt<At extends TaskProgress['at']>(
  state: RunState,
  task: string,
  ...stages: readonly At[]
): AtStage<At> {
  const progress = progressOf(state, task);
  if (!(stages as readonly string[]).includes(progress.at))
    throw new Error(`Task ${task} is ${progress.at}, not ${stages.join(' or ')}.`);
  return progress as AtStage<At>;
}
