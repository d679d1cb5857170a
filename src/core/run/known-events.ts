import type { Effect } from './effect.ts';
import type { RunEvent } from './event.ts';

/** A line of a journal, as far as it has to be read to tell which version wrote it. */
export interface Written {
  readonly v: unknown;
  readonly event: { readonly type: string; readonly effect?: { readonly do?: unknown } | null };
}

/** Whether this version knows what a line of a journal tells; that of a newer one may tell more (R-FILE-7). */
export function isKnown({ v, event }: Written): boolean {
  if (v !== 1 || !Object.hasOwn(EVENTS, event.type)) return false;
  return event.type !== 'effect-started' || Object.hasOwn(EFFECTS, String(event.effect?.do));
}

const EVENTS: Readonly<Record<RunEvent['type'], true>> = {
  'run-started': true,
  'run-resumed': true,
  'run-prepared': true,
  'effect-started': true,
  'agent-returned': true,
  'task-checked': true,
  'check-cancelled': true,
  'work-lost': true,
  'task-reviewed': true,
  'work-held': true,
  'task-committed': true,
  'commit-refused': true,
  'commit-blocked': true,
  'commit-slow': true,
  'work-set-aside': true,
  'fix-planned': true,
  'plan-modified': true,
  'modification-refused': true,
  'batch-opened': true,
  'merge-conflicted': true,
  'merge-rejected': true,
  'batch-closed': true,
  'tests-run': true,
  'tests-cancelled': true,
  waited: true,
  'time-ran-out': true,
  'stop-requested': true,
  'run-finished': true,
  'run-halted': true,
};

const EFFECTS: Readonly<Record<Effect['do'], true>> = {
  prepare: true,
  delegate: true,
  check: true,
  review: true,
  commit: true,
  hold: true,
  'set-aside': true,
  'plan-fix': true,
  modify: true,
  'open-batch': true,
  'close-batch': true,
  test: true,
  wait: true,
  finish: true,
};
