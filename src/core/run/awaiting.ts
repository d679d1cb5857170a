import { checkIn, writable } from '../pull-request/origin.ts';
import type { Seen } from '../pull-request/seen.ts';
import { progressOf, type RunState, type TaskProgress, taskOf } from './data/state.ts';
import { begunOf, expectAt, move } from './moves.ts';

/**
 * The check that alone can prove the work of a task: one that was made from a red check, and has no command. Its work is pushed
 * before it is ticked, and rejected if the check is red again (R-PR-2).
 */
function provingCheck(state: RunState, key: string): string | undefined {
  const { from, verifyCommand } = taskOf(state, key);
  return from === undefined || verifyCommand !== null ? undefined : checkIn(from);
}

/** Whether accepted work of a task has to be pushed before it counts. */
export function isToBePushed(state: RunState, key: string): boolean {
  return provingCheck(state, key) !== undefined && progressOf(state, key).awaits?.isGreen !== true;
}

/** The commit of work that its check has to prove begins: it stays without a tick. */
export function holdStarted(state: RunState, { task }: { readonly task: string }): RunState {
  const progress = expectAt(state, task, 'faulted', 'accepted');
  if (progress.at === 'faulted') return move(state, task, { ...progress, at: 'HOLDING' });
  const check = provingCheck(state, task) ?? '';
  const failure = { layer: 'verify', text: `The check ${check} of the pull request decides.` } as const;
  return move(state, task, {
    ...begunOf(progress),
    at: 'HOLDING',
    answer: progress.answer,
    failure,
    awaits: { check },
  });
}

/** What was seen of checks proves the work that waits for them, or rejects it. */
export function proveByChecks(state: RunState, { checks, pullRequest }: Seen): RunState {
  if (pullRequest.head !== state.pullRequest?.pushed) return state;
  let after = state;
  for (const [key, progress] of state.progress) {
    if (progress.at !== 'awaiting' || progress.awaits === undefined) continue;
    const { check: name } = progress.awaits;
    const check = checks.find((candidate) => writable(candidate.name) === name);
    const moved = provedBy(check?.state, { progress, name });
    if (moved) after = move(after, key, moved);
  }
  return after;
}

type Awaiting = Extract<TaskProgress, { at: 'awaiting' }>;

function provedBy(
  state: Seen['checks'][number]['state'] | undefined,
  { progress, name }: { readonly progress: Awaiting; readonly name: string },
): TaskProgress | undefined {
  const begun = begunOf(progress);
  if (state === 'passed') {
    return { ...begun, awaits: { check: name, isGreen: true }, at: 'returned', answer: progress.answer };
  }
  if (state !== 'failed') return undefined;
  const { held: _held, awaits: _awaits, ...again } = begun;
  const text = `VERIFY: the check "${name}" of the pull request is red again with this work.`;
  return { ...again, at: 'failed', failure: { layer: 'verify', text }, blame: 'task' };
}
