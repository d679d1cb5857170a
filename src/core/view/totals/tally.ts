import { instantMs } from '../../instant.ts';
import type { Envelope } from '../../run/data/event.ts';
import type { RunState } from '../../run/data/state.ts';
import { evolve } from '../../run/evolve.ts';

/** What the envelopes of a run add up to in addition to its state. All times in milliseconds, instants since 1970. */
export interface Tally {
  /** Time at work: from each start to its last event, the pauses between two starts aside. */
  readonly activeMs: number;
  /** Instant of the newest event. */
  readonly lastAtMs: number;
  /** Agents that were sent to work on a task, those that did not count as an attempt included. */
  readonly attempts: number;
  /** Attempts that claimed completion and were rejected. */
  readonly rejectedClaims: number;
  /** Where the work of attempts that were not recorded is kept, oldest first (R-RETRY-4). */
  readonly kept: readonly KeptWork[];
  /** The tasks that were begun in this run and are not recorded. By task key. */
  readonly inMotion: ReadonlyMap<string, InMotion>;
}

export interface KeptWork {
  readonly task: string;
  readonly attempt: number;
  readonly ref: string;
}

export interface InMotion {
  /** Instant of the task's first attempt in this run. */
  readonly beganAtMs: number;
  /** Instant at which its step of now began. */
  readonly stepAtMs: number;
  readonly attempts: number;
  /** Whether its newest attempt claims completion. */
  readonly claims: boolean;
}

export const nothingTallied: Tally = {
  activeMs: 0,
  lastAtMs: 0,
  attempts: 0,
  rejectedClaims: 0,
  kept: [],
  inMotion: new Map(),
};

/** Adds one envelope; `after` is the state after it. */
export function tally(before: Tally, envelope: Envelope, after: RunState): Tally {
  const { event, at } = envelope;
  const atMs = instantMs(at);
  const isStart = event.type === 'run-started' || event.type === 'run-resumed';
  const timed = {
    ...before,
    lastAtMs: atMs,
    activeMs: before.activeMs + (isStart ? 0 : Math.max(0, atMs - before.lastAtMs)),
  };
  switch (event.type) {
    case 'effect-started':
      return event.effect.do === 'delegate'
        ? delegated(timed, event.effect.task)
        : 'task' in event.effect
          ? stepped(timed, event.effect.task)
          : timed;
    case 'agent-returned':
      return judged(
        stepped(timed, event.task, { claims: event.how === 'completed' && event.answer.signal === 'positive' }),
        event.task,
        after,
      );
    case 'task-checked':
    case 'task-reviewed':
    case 'merge-rejected':
    case 'commit-refused':
      return judged(stepped(timed, event.task), event.task, after);
    case 'work-set-aside':
    case 'questions-asked':
      return event.kept
        ? { ...timed, kept: [...timed.kept, { task: event.task, attempt: event.attempt, ref: event.kept.ref }] }
        : timed;
    case 'batch-closed':
      return { ...timed, rejectedClaims: timed.rejectedClaims + event.broken.length };
    case 'task-committed':
      return rested(timed, event.task);
    case 'run-resumed':
      return event.recorded ? rested(timed, event.recorded.task) : timed;
    default:
      return timed;
  }
}

/** What all envelopes of a run add up to; nothing for none. */
export function tallyOf(
  envelopes: Iterable<Envelope>,
): { readonly tally: Tally; readonly state: RunState } | undefined {
  let sum = nothingTallied;
  let state: RunState | undefined;
  for (const envelope of envelopes) {
    state = evolve(state, envelope.event);
    sum = tally(sum, envelope, state);
  }
  return state && { tally: sum, state };
}

function delegated(before: Tally, task: string): Tally {
  const known = before.inMotion.get(task);
  const inMotion = new Map(before.inMotion).set(task, {
    beganAtMs: known?.beganAtMs ?? before.lastAtMs,
    stepAtMs: before.lastAtMs,
    attempts: (known?.attempts ?? 0) + 1,
    claims: false,
  });
  return { ...before, attempts: before.attempts + 1, inMotion };
}

function stepped(before: Tally, task: string, more: Partial<InMotion> = {}): Tally {
  const known = before.inMotion.get(task);
  if (known === undefined) return before;
  return { ...before, inMotion: new Map(before.inMotion).set(task, { ...known, stepAtMs: before.lastAtMs, ...more }) };
}

function judged(before: Tally, task: string, after: RunState): Tally {
  const at = after.progress.get(task)?.at;
  const isRejected = (at === 'failed' || at === 'faulted') && before.inMotion.get(task)?.claims === true;
  return isRejected ? { ...before, rejectedClaims: before.rejectedClaims + 1 } : before;
}

function rested(before: Tally, task: string): Tally {
  const inMotion = new Map(before.inMotion);
  inMotion.delete(task);
  return { ...before, inMotion };
}
