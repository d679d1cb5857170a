import type { Envelope, RunEvent } from '../run/data/event.ts';
import type { RunState } from '../run/data/state.ts';

/** A run, as far as the hooks of a session look at it. */
export interface SessionRun {
  readonly id: string;
  /** Who drives it, or drove it last, as `drivingOf` reads it. */
  readonly driver?: string;
  /** How it ended, if it did. */
  readonly ended?: NonNullable<RunState['ended']>['result'];
  /** It drafts documents: once it is complete, the spec goes on. */
  readonly isPlanning?: true;
  /** How many verdicts were recorded, whichever: it grows when the run advances (R-SES-5). */
  readonly verdicts: number;
}

const VERDICTS: readonly RunEvent['type'][] = [
  'task-committed',
  'draft-recorded',
  'work-set-aside',
  'questions-asked',
  'work-held',
  'task-reviewed',
  'fix-planned',
  'plan-modified',
];

/** What the hooks look at of a run whose events and state are given. */
export function sessionRun(id: string, envelopes: readonly Envelope[], state: RunState): SessionRun {
  const { driver, ended, planning } = state;
  return {
    id,
    verdicts: envelopes.filter(({ event }) => VERDICTS.includes(event.type)).length,
    ...(driver !== undefined && { driver }),
    ...(ended !== undefined && { ended: ended.result }),
    ...(planning !== undefined && { isPlanning: true }),
  };
}

/** Whether nothing comes after a run: a state file that is there now is not of it. */
export function isOver(run: SessionRun | undefined): boolean {
  return run === undefined || (run.ended === 'completed' && run.isPlanning !== true);
}
