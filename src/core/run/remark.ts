import { type AtStage, progressOf, type Remark, type RunState, taskOf } from './data/state.ts';
import { isCheckedByNoCommand } from './verify-commands.ts';

/** Accepted work that is about to be recorded. */
interface AcceptedWork {
  readonly state: RunState;
  readonly key: string;
  readonly progress: AtStage<'accepted' | 'REVIEWING' | 'COMMITTING'>;
}

/** Each remark that there is, in the order in which they are told. */
const REMARKS: readonly ((accepted: AcceptedWork) => Remark | undefined)[] = [unchanged, checkedByNoCommand, inDoubt];

/** The remarks that accepted work is recorded with. None for a task that was split: its parts are tasks of their own (R-MOD-3). */
export function remarksOf(state: RunState, key: string): readonly Remark[] {
  const progress = progressOf(state, key);
  if (!('verdict' in progress) || progress.split) return [];
  return REMARKS.flatMap((find) => find({ state, key, progress }) ?? []);
}

/** No file was changed, and the task is recorded all the same (R-VER-12). */
function unchanged({ progress: { verdict } }: AcceptedWork): Remark | undefined {
  return verdict.unchanged ? { word: 'unchanged', because: ['no file was changed'] } : undefined;
}

/** No command that can fail, no verifier and no reviewer has looked at the work (R-VER-9). */
function checkedByNoCommand({ state, key, progress }: AcceptedWork): Remark | undefined {
  if (isReviewed(progress) || !isCheckedByNoCommand(state, key)) return undefined;
  const { verifyKind, verifyCommand } = taskOf(state, key);
  const because = verifyCommand === null ? NO_COMMAND[verifyKind] : 'its Verify command cannot fail';
  return { word: 'checked by no command', because: [because] };
}

const NO_COMMAND = {
  command: 'it has no Verify command',
  prose: 'its Verify is prose',
  manual: 'its Verify is to be done by hand',
  none: 'it has no Verify',
} as const;

function isReviewed({ review }: AcceptedWork['progress']): boolean {
  return review.status === 'passed' || review.status === 'accepted with findings';
}

/** The answer holds signs that something is missing and no reviewer has looked at the work, or not at all of it (R-VER-11). */
function inDoubt({ progress }: AcceptedWork): Remark | undefined {
  const { answer, review } = progress;
  const because = isReviewed(progress) ? (review.doubts ?? []) : (answer.doubts ?? []);
  return because.length === 0 ? undefined : { word: 'in doubt', because };
}

/** The words shown for a recorded task in addition to "done": how its review ended, unless it passed, and its remarks. */
export function remarkWords(
  { reviews, remarks }: Pick<RunState, 'reviews' | 'remarks'>,
  key: string,
): readonly string[] {
  const status = reviews.get(key)?.status;
  return [...(status === undefined ? [] : [status]), ...(remarks.get(key) ?? []).map(({ word }) => word)];
}
