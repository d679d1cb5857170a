import type { Drafted, DraftStep } from '../plan/data/step.ts';
import { problemCounts, problemLine } from '../planning/draft-problem.ts';
import { firstOf } from '../text/first-of.ts';
import type { Failure } from '../verify/failure.ts';
import type { EventOf } from './data/event.ts';
import { type Begun, progressOf, type RunState, taskOf } from './data/state.ts';
import { begunOf, expectAt, fail, move } from './moves.ts';

/** How often a draft goes back for what can be counted, errors aside (R-PLAN-5). */
const ROUNDS_MAX = 3;
const PATHS_MAX = 20;

/** What a step of planning drafts; `undefined` for a task of a plan. */
export function stepOf(state: RunState, key: string): DraftStep | undefined {
  return taskOf(state, key).step;
}

/** What a document was made from, as the run recorded it with this content; `undefined` where it did not. */
export function recordedInputs(
  state: RunState,
  { artifact, sha256 }: { readonly artifact: Drafted; readonly sha256: string },
): Readonly<Partial<Record<Drafted, string>>> | undefined {
  const task = state.tasks.find(({ step }) => step?.artifact === artifact && step.topic === undefined);
  const draft = task && state.drafts.get(task.key);
  return draft?.sha256 === sha256 ? draft.inputs : undefined;
}

/** Whether a step looks into one topic of research. */
export function isTopic(state: RunState, key: string): boolean {
  return stepOf(state, key)?.topic !== undefined;
}

/** The run goes on after a step, whether its document is there or, of a topic of research, it will be made without (R-PLAN-2). */
export function withStepDone(state: RunState, key: string): RunState {
  const progress = new Map(state.progress);
  progress.delete(key);
  const tasks = state.tasks.map((task) => (task.key === key ? { ...task, checked: true } : task));
  return { ...state, tasks, progress };
}

/**
 * A draft goes on when nothing but itself was changed and no error is in it. What quality lacks sends it back as well, but
 * only so often: then it is recorded with its findings (R-PLAN-2, R-PLAN-5).
 */
export function draftChecked(state: RunState, event: EventOf<'draft-checked'>): RunState {
  const { task, sha256, problems, advisesAgainst, scope, untried } = event;
  const progress = expectAt(state, task, 'CHECKING');
  const draft = {
    problems,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(advisesAgainst && { advisesAgainst }),
    ...(scope && { scope }),
    ...(untried !== undefined && { untried }),
  };
  const known = { ...state, drafts: new Map(state.drafts).set(task, draft) };
  const failure = failureOf(event, progress);
  if (failure !== undefined) return fail(known, task, failure);
  const verdict = { layers: [], concerns: progress.noticed ?? [] };
  return move(known, task, { ...begunOf(progress), at: 'accepted', answer: progress.answer, verdict });
}

function failureOf(
  { violations = [], elsewhere = [], problems }: EventOf<'draft-checked'>,
  begun: Begun,
): Failure | undefined {
  if (violations.length > 0) return { layer: 'integrity', text: `INTEGRITY: ${violations.join('\n')}` };
  if (elsewhere.length > 0)
    return {
      layer: 'scope',
      text: `SCOPE: This step may change its own document and nothing else. It also changed ${firstOf(elsewhere, PATHS_MAX)}; that was put back.`,
    };
  const grave = problems.filter(({ severity }) => severity !== 'warning');
  const isWrong = grave.some(({ severity }) => severity === 'error');
  if (grave.length === 0 || (!isWrong && roundsOf(begun) + 1 >= ROUNDS_MAX)) return undefined;
  return {
    layer: 'draft',
    text: [`DRAFT: The checks found ${problemCounts(grave)}:`, ...grave.map(problemLine)].join('\n'),
  };
}

/** How often the draft was sent back, by the checks or a reviewer. */
export function roundsOf({ failures }: Begun): number {
  return failures.filter(({ failure }) => failure.layer === 'draft' || failure.layer === 'review').length;
}

/**
 * The draft is recorded. A person decides about it next where its step has a gate, or where it advises against the goal
 * (R-GATE-1, R-STOP-1).
 */
export function stepRecorded(state: RunState, key: string, head: string): RunState {
  const { review, answered = [] } = progressOf(state, key);
  const isNoteworthy = review.status !== undefined && review.status !== 'passed';
  return {
    ...withStepDone(state, key),
    tip: head,
    decided: [...state.decided, ...answered.filter(({ basis }) => basis !== 'look-up')],
    ...((stepOf(state, key)?.gate || state.drafts.get(key)?.advisesAgainst) && { awaitsApproval: key }),
    ...(isNoteworthy && {
      reviews: new Map(state.reviews).set(key, { status: review.status, findings: review.findings }),
    }),
  };
}

/**
 * A draft is recorded as it is on the branch, whatever hooks made of it. Where no commit holds it, it is from then on like an
 * uncommitted file of the user: later steps leave it alone.
 */
export function draftRecorded(state: RunState, { task, sha256, inputs, head }: EventOf<'draft-recorded'>): RunState {
  const known = state.drafts.get(task) ?? { problems: [] };
  const { files, step } = taskOf(state, task);
  const isLoose = !state.policy.commitSpec && step?.topic === undefined;
  return {
    ...stepRecorded(state, task, head),
    drafts: new Map(state.drafts).set(task, { ...known, sha256, inputs }),
    ...(isLoose && { foreign: [...new Set([...state.foreign, ...files])] }),
  };
}
