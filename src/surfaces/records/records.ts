import type { Envelope, RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { evolve } from '../../core/run/evolve.ts';
import { isBroken, subjectOf, type TaskEvidence, witness } from '../../core/view/record/evidence.ts';
import { recordText } from '../../core/view/record/record.ts';
import type { Surface } from '../surface.ts';

export interface RecordsOrder {
  /** Writes one record into the run's folder; a name as `1.2/record.md`. */
  readonly write: (name: string, text: string) => Promise<void>;
  /** What the journal held before this start of the run. */
  readonly earlier?: readonly Envelope[];
}

/**
 * Keeps a readable record of every task that was accepted or rejected (R-VER-9). Only tasks that are begun and not done,
 * and those of a batch under way, are held in memory.
 */
export function recordsSurface({ write, earlier = [] }: RecordsOrder): Surface {
  const inMotion = new Map<string, TaskEvidence>();
  let state: RunState | undefined;
  for (const envelope of earlier) {
    state = evolve(state, envelope.event);
    note(inMotion, envelope, state);
  }
  return {
    name: 'the records of the tasks',
    async show(envelope, after) {
      for (const evidence of note(inMotion, envelope, after))
        await write(`${evidence.key}/record.md`, recordText(evidence));
    },
    async close() {},
  };
}

/** Takes the event down and returns what is worth a record now. */
function note(inMotion: Map<string, TaskEvidence>, envelope: Envelope, after: RunState): readonly TaskEvidence[] {
  const { event } = envelope;
  return keysOf(event, inMotion).flatMap((key) => {
    const evidence = witness(inMotion.get(key), envelope, { key, after });
    if (evidence === undefined) return [];
    if (isDone(key, after)) inMotion.delete(key);
    else inMotion.set(key, evidence);
    return isWorthARecord(event, key) ? [evidence] : [];
  });
}

/** A resumed run and the end of a batch tell something about every task that was begun. */
function keysOf(event: RunEvent, inMotion: ReadonlyMap<string, TaskEvidence>): readonly string[] {
  if (event.type === 'run-resumed' || event.type === 'batch-closed') return [...inMotion.keys()];
  if (event.type === 'lifecycle-recorded') return event.done.map(({ task }) => task);
  const subject = subjectOf(event);
  return subject === undefined ? [] : [subject];
}

/** A member of a batch may be opened again until the batch is closed (R-PAR-5). */
function isDone(key: string, { tasks, batch }: RunState): boolean {
  return batch?.members.includes(key) !== true && tasks.some((task) => task.key === key && task.checked);
}

function isWorthARecord(event: RunEvent, key: string): boolean {
  switch (event.type) {
    case 'task-committed':
    case 'work-set-aside':
    case 'questions-asked':
    case 'work-held':
    case 'lifecycle-recorded':
      return true;
    case 'run-resumed':
      return event.recorded?.task === key;
    case 'batch-closed':
      return isBroken(event, key);
    default:
      return false;
  }
}
