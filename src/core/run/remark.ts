import type { PlannedTask } from './planned-task.ts';
import { type AtStage, progressOf, type Remark, type RunState, taskOf } from './state.ts';

/** Accepted work that is about to be recorded. */
interface Accepted {
  readonly task: PlannedTask;
  readonly progress: AtStage<'accepted' | 'REVIEWING' | 'COMMITTING'>;
}

/** Each remark that there is, in the order in which they are told. */
const REMARKS: readonly ((accepted: Accepted) => Remark | undefined)[] = [unchanged, inDoubt];

/** The remarks that accepted work is recorded with. None for a task that was split: its parts are tasks of their own (R-MOD-3). */
export function remarksOf(state: RunState, key: string): readonly Remark[] {
  const progress = progressOf(state, key);
  if (!('verdict' in progress) || progress.split) return [];
  return REMARKS.flatMap((find) => find({ task: taskOf(state, key), progress }) ?? []);
}

/** No file was changed, and the task is recorded all the same (R-VER-12). */
function unchanged({ progress: { verdict } }: Accepted): Remark | undefined {
  return verdict.unchanged ? { word: 'unchanged', because: ['no file was changed'] } : undefined;
}

/** The answer holds signs that something is missing and no reviewer has looked at the work, or not at all of it (R-VER-11). */
function inDoubt({ progress: { answer, review } }: Accepted): Remark | undefined {
  const isReviewed = review.status === 'passed' || review.status === 'accepted with findings';
  const because = isReviewed ? (review.doubts ?? []) : (answer.doubts ?? []);
  return because.length === 0 ? undefined : { word: 'in doubt', because };
}

/** How a recorded task stands beside "done": how its review ended, unless it passed, and its remarks. */
export function standingOf(
  { reviews, remarks }: Pick<RunState, 'reviews' | 'remarks'>,
  key: string,
): readonly string[] {
  const status = reviews.get(key)?.status;
  return [...(status === undefined ? [] : [status]), ...(remarks.get(key) ?? []).map(({ word }) => word)];
}
