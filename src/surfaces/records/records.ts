import type { Envelope, RunEvent } from '../../core/run/event.ts';
import { evolve } from '../../core/run/evolve.ts';
import type { RunState } from '../../core/run/state.ts';
import { subjectOf, type TaskEvidence, witness } from '../../core/view/evidence.ts';
import { recordText } from '../../core/view/record.ts';
import type { Surface } from '../surface.ts';

export interface RecordsOrder {
  /** Writes one record into the run's folder; a name as `1.2/record.md`. */
  readonly write: (name: string, text: string) => Promise<void>;
  /** What the journal held before this start of the run. */
  readonly earlier?: readonly Envelope[];
}

/**
 * Keeps a readable record of every task that was accepted or rejected (R-VER-9). Only tasks that are begun and not done
 * are held in memory.
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
  const subject = subjectOf(event);
  const keys = event.type === 'run-resumed' ? [...inMotion.keys()] : subject === undefined ? [] : [subject];
  const done = recordedBy(event);
  return keys.flatMap((key) => {
    const evidence = witness(inMotion.get(key), envelope, { key, after });
    if (evidence === undefined) return [];
    if (key === done) inMotion.delete(key);
    else inMotion.set(key, evidence);
    return key === done || event.type === 'work-set-aside' || event.type === 'work-held' ? [evidence] : [];
  });
}

function recordedBy(event: RunEvent): string | undefined {
  if (event.type === 'task-committed') return event.task;
  return event.type === 'run-resumed' ? event.recorded?.task : undefined;
}
