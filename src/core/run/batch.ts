import { isLeftOut } from '../plan/data/left-out.ts';
import type { PlannedTask } from '../plan/data/planned-task.ts';
import type { EventOf } from './data/event.ts';
import { type Batch, progressOf, type RunState, taskOf } from './data/state.ts';
import { ending } from './ending.ts';
import { begunOf, expectAt, move } from './moves.ts';
import { isForAgents } from './pull-request.ts';
import { isBatchReviewPoint } from './review-point.ts';

/**
 * The tasks that begin together with this one: consecutive `[P]` tasks of its phase that touch different files and
 * were not sent to run alone (R-PAR-1). One task, if it runs by itself.
 */
export function batchFrom({ tasks, policy, alone, progress }: RunState, first: PlannedTask): readonly PlannedTask[] {
  const batch = [first];
  if (policy.jobs < 2 || !mayJoin(first)) return batch;
  for (const task of tasks.slice(tasks.indexOf(first) + 1)) {
    // In plans of other tools only what is still to be done are neighbours, and any heading or parent keeps them apart.
    if (task.stretch !== undefined && (task.checked || isLeftOut(task, policy))) continue;
    if (!task.parallel || task.phase !== first.phase || task.stretch !== first.stretch) break;
    if (task.checked) continue;
    if (!mayJoin(task) || batch.some((member) => keepsApart(member, task, policy.parallelOverlap) !== undefined)) break;
    batch.push(task);
  }
  return batch;

  function mayJoin(task: PlannedTask): boolean {
    const { key, parallel } = task;
    const at = progress.get(key);
    return (
      parallel &&
      isForAgents(task, policy) &&
      !alone.has(key) &&
      (at === undefined || (at.at === 'waiting' && at.pause === undefined))
    );
  }
}

/** Why two neighbours are not run at the same time; `undefined` if they may. */
export function keepsApart(one: PlannedTask, other: PlannedTask, overlap: 'separate' | 'allow'): string | undefined {
  if (other.dependsOn?.includes(one.id)) return `${other.id} depends on ${one.id}`;
  if (overlap === 'allow') return undefined;
  const [files, otherFiles] = [touched(one), touched(other)];
  if (files === undefined || otherFiles === undefined)
    return `${files === undefined ? one.id : other.id} does not say which files it touches`;
  const shared = files.find((file) => otherFiles.some((candidate) => overlaps(file, candidate)));
  return shared === undefined ? undefined : `${one.id} and ${other.id} both touch ${shared}`;
}

/** What a task says it touches; `undefined` if it does not say. */
function touched({ touches, files, filesKnown }: PlannedTask): readonly string[] | undefined {
  return touches ?? (filesKnown ? files : undefined);
}

/** Whether two entries of *Files* may mean the same file. A glob may match every path that starts with its fixed part. */
function overlaps(one: string, other: string): boolean {
  const [a, b] = [fixedPart(one), fixedPart(other)];
  const reaches = (wide: FixedPart, path: string) =>
    path === wide.path || path.startsWith(wide.isWhole ? `${wide.path}/` : wide.path);
  return reaches(a, b.path) || reaches(b, a.path);
}

interface FixedPart {
  readonly path: string;
  /** Whether it is a whole path, of a file or folder, and not the beginning of a glob. */
  readonly isWhole: boolean;
}

function fixedPart(entry: string): FixedPart {
  const path = entry.replace(/^\.\//, '').replace(/\/+$/, '');
  const wild = path.search(/[*?[{]/);
  return wild === -1 ? { path, isWhole: true } : { path: path.slice(0, wild), isWhole: false };
}

export function isMember({ batch }: Pick<RunState, 'batch'>, key: string): boolean {
  return batch?.members.includes(key) ?? false;
}

/**
 * Whether a member is next to be recorded: all before it are recorded or out, so that history follows the plan (R-PAR-3). One
 * that was interrupted, and for which no attempt begins any more in this batch, does not keep the others waiting.
 */
export function isTurn(state: RunState, key: string): boolean {
  const { batch, tasks } = state;
  if (batch === undefined || !batch.members.includes(key)) return true;
  const before = batch.members.slice(0, batch.members.indexOf(key));
  return before.every(
    (member) =>
      batch.out.includes(member) ||
      tasks.some((task) => task.key === member && task.checked) ||
      (progressOf(state, member).at === 'waiting' && !mayBegin(state, batch)),
  );
}

/** Whether members of a batch still begin; a run that is stopped goes on with them at its next start. */
function mayBegin(state: RunState, { isEnding }: Batch): boolean {
  const result = ending(state)?.result;
  return !isEnding && (result === undefined || result === 'interrupted');
}

/**
 * The batch without a member whose attempt came to no record. Where all others are recorded, their due review has to take
 * place with this one, when it runs again (R-PAR-7).
 */
export function leave(state: RunState, key: string): RunState {
  const { batch } = state;
  if (batch === undefined || !isMember(state, key) || batch.out.includes(key)) return state;
  const out = [...batch.out, key];
  const others = batch.members.filter((member) => !out.includes(member));
  const isOwed =
    others.length > 0 && others.every((other) => taskOf(state, other).checked) && isBatchReviewPoint(state, batch);
  const owedReviews = isOwed ? new Map(state.owedReviews).set(key, others) : state.owedReviews;
  return { ...state, batch: { ...batch, out }, owedReviews };
}

/** No further member begins; what has begun ends (R-MOD-5). */
export function endBatch(state: RunState, key: string): RunState {
  return state.batch && isMember(state, key) ? { ...state, batch: { ...state.batch, isEnding: true } } : state;
}

export function noteRecord(state: RunState, task: string, commit: string): RunState {
  const { batch } = state;
  return batch && isMember(state, task)
    ? { ...state, batch: { ...batch, commits: [...batch.commits, { task, commit }] } }
    : state;
}

export function openBatch(
  state: RunState,
  { members, base }: Pick<Batch, 'members' | 'base'>,
  at: Batch['at'],
): RunState {
  return { ...state, batch: { at, members, base, out: [], commits: [], isEnding: false } };
}

/** Overtaken by a neighbour: the task runs again, alone, on top of the merged result, and is told why (R-PAR-3). */
export function mergeConflicted(state: RunState, { task, paths }: EventOf<'merge-conflicted'>): RunState {
  const progress = expectAt(state, task, 'COMMITTING', 'HOLDING');
  const failure = {
    layer: 'merge',
    text: `MERGE CONFLICT: another task of the batch, or a person, changed ${paths.join(', ')} in the meantime. Do the work again on the current tree.`,
  } as const;
  const after = { ...state, alone: new Set(state.alone).add(task) };
  return move(after, task, { ...begunOf(progress), at: 'failed', failure, blame: 'merge' });
}

/** What passed in its own worktree fails with the work of its neighbours: a failed attempt (R-PAR-3). */
export function mergeRejected(state: RunState, { task, command, output }: EventOf<'merge-rejected'>): RunState {
  const progress = expectAt(state, task, 'COMMITTING', 'HOLDING');
  const text = `MERGE: \`${command}\` passed in the task's own worktree, but fails on the merged tree.\n${output}`;
  return move(state, task, { ...begunOf(progress), at: 'failed', failure: { layer: 'merge', text }, blame: 'task' });
}

/** The batch is over; who broke a neighbour's proof is open again, and has to keep that proof from now on (R-PAR-5). */
export function batchClosed(
  state: RunState,
  { broken, head, foreign = state.foreign }: EventOf<'batch-closed'>,
): RunState {
  const { batch, ...rest } = state;
  const open = batch?.isEnding ? batch.members.filter((key) => !taskOf(state, key).checked) : [];
  let after: RunState = {
    ...rest,
    foreign,
    tip: head,
    alone: new Set([...state.alone, ...open, ...broken.map(({ task }) => task)]),
  };
  for (const { task, command, output, victim } of broken) {
    const text = `MERGE: with this task, \`${command}\` (the Verify command of task ${taskOf(state, victim).id}) fails.\n${output}`;
    const { attempt, ...begun } = begunOf(progressOf(after, task));
    after = {
      ...after,
      tasks: after.tasks.map((candidate) => (candidate.key === task ? { ...candidate, checked: false } : candidate)),
      alsoVerify: new Map(after.alsoVerify).set(task, [...(after.alsoVerify.get(task) ?? []), command]),
    };
    after = move(after, task, {
      ...begun,
      attempt: attempt + 1,
      failures: [...begun.failures, { attempt, failure: { layer: 'merge', text } }],
      at: 'waiting',
    });
  }
  return after;
}
