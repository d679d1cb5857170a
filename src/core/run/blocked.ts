import { unreachable } from '../unreachable.ts';
import type { RunEvent } from './data/event.ts';
import { progressOf, type RunState, type TaskProgress, taskOf } from './data/state.ts';
import { begunOf, move } from './moves.ts';

type Blocked = Extract<RunEvent, { type: 'commit-blocked' }>;

/** The commit waits for a person, and the run with it: what was under way falls back to where it begins again (R-ADV-5). */
export function commitBlocked(state: RunState, event: Blocked): RunState {
  const after = event.task === undefined ? withoutEffect(state) : withoutCommit(state, event.task);
  return { ...after, gate: { reason: reasonOf(state, event) } };
}

function withoutEffect(state: RunState): RunState {
  const { batch } = state;
  if (state.phase === 'PREPARING') return { ...state, phase: 'starting' };
  if (state.phase === 'FINISHING') return { ...state, phase: 'executing' };
  return batch?.at === 'CLOSING' ? { ...state, batch: { ...batch, at: 'open' } } : state;
}

function withoutCommit(state: RunState, task: string): RunState {
  const progress = progressOf(state, task);
  switch (progress.at) {
    case 'COMMITTING':
      return move(state, task, { ...progress, at: 'accepted' });
    case 'HOLDING':
      return move(state, task, heldBack(progress));
    case 'PLANNING-FIX':
      return move(state, task, { ...progress, at: 'wants-fix' });
    case 'MODIFYING':
      return move(state, task, { ...progress, at: 'requested' });
    default:
      throw new Error(`Task ${task} is ${progress.at}: no commit of it is under way.`);
  }
}

/** Work that waits for its check is measured again; what a reviewer sent back is committed at the next start. */
export function heldBack(progress: Extract<TaskProgress, { readonly at: 'faulted' | 'HOLDING' }>): TaskProgress {
  if (progress.awaits === undefined) return { ...progress, at: 'faulted' };
  return { ...begunOf(progress), at: 'returned', answer: progress.answer };
}

function reasonOf(state: RunState, { task, cause, subject, output }: Blocked): string {
  const id = task === undefined ? undefined : taskOf(state, task).id;
  const stays =
    id === undefined ? [] : [`The work of task ${id} is kept in the working tree; this does not count as an attempt.`];
  return [headline(cause, subject), output.trim(), ...stays, remedy(cause, id)]
    .filter((line) => line !== '')
    .join('\n');
}

function headline(cause: Blocked['cause'], subject: string): string {
  switch (cause) {
    case 'message':
      return `ERROR: A hook refused the message of the commit "${subject}".`;
    case 'signing':
      return `ERROR: The commit "${subject}" could not be signed.`;
    case 'reference':
      return `ERROR: A hook refused to move the branch to the commit "${subject}".`;
    case 'own':
      return `ERROR: A hook refused specloop's own commit "${subject}".`;
    case 'stop':
      return `The commit "${subject}" was stopped.`;
    default:
      return unreachable(cause);
  }
}

function remedy(cause: Blocked['cause'], id: string | undefined): string {
  const again = 'then run the same command again: the work is committed without running an agent again.';
  switch (cause) {
    case 'message':
      return `Correct the Commit line${id === undefined ? '' : ` of task ${id}`} in the plan, or the hook, ${again}`;
    case 'signing':
      return `Fix commit signing (commit.gpgsign, user.signingkey, gpg.program), ${again}`;
    case 'own':
      return `Correct the hook, or set a message that it accepts under "commits" in specloop.config.yaml, ${again}`;
    case 'reference':
      return `Correct the hook, ${again}`;
    case 'stop':
      return 'Run the same command again: the work is committed without running an agent again.';
    default:
      return unreachable(cause);
  }
}
