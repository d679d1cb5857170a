import type { Effect } from '../core/run/effect.ts';
import type { Envelope, RunEvent } from '../core/run/event.ts';
import { evolve } from '../core/run/evolve.ts';
import { next } from '../core/run/next.ts';
import type { RunState } from '../core/run/state.ts';
import type { Journal } from '../ports/store.ts';
import type { Inbox } from './inbox.ts';

/** A fact that is written down, and the state behind it. */
export interface Step {
  readonly envelope: Envelope;
  readonly state: RunState;
}

/** What the loop needs: where facts go, and who carries out orders. */
export interface Course {
  readonly journal: Journal;
  readonly perform: (effect: Effect, state: RunState) => Promise<RunEvent>;
  /** Called after events are durable and folded, in order; what it throws ends the run. */
  readonly follow: (steps: readonly Step[]) => Promise<void>;
  /** Events from outside: a person's wish to stop, a timer. */
  readonly inbox: Inbox<RunEvent>;
  /** Tells everything under way to stop; resolves nothing by itself. */
  readonly abort: (reason: string) => void;
}

/**
 * Runs a plan to its end. One event at a time: write it down, fold it into the state, then start whatever
 * the new state calls for. The start of an effect is itself an event, so the journal knows of everything
 * that may be under way. If an effect fails in a way that no event tells (a full disk, a bug), everything
 * under way is stopped and the error is thrown: the journal is enough to go on from.
 */
export async function run(state: RunState | undefined, first: RunEvent, course: Course): Promise<RunState> {
  const underWay = new Set<Promise<void>>();
  const start = (effect: Effect, now: RunState): void => {
    const work = course.perform(effect, now).then(
      (event) => course.inbox.put(event),
      (error) => course.inbox.fail(error),
    );
    underWay.add(work);
    void work.then(() => underWay.delete(work));
  };
  /** A fact is written down together with the start that follows from it, and only then that is started. */
  const record = async (before: RunState | undefined, fact: RunEvent): Promise<RunState> => {
    let effect = next(evolve(before, fact));
    let now = await writeDown(before, effect ? [fact, { type: 'effect-started', effect }] : [fact], course);
    while (effect) {
      start(effect, now);
      effect = next(now);
      if (effect) now = await writeDown(now, [{ type: 'effect-started', effect }], course);
    }
    return now;
  };
  try {
    let current = await record(state, first);
    while (current.phase !== 'over') {
      const event = await course.inbox.take();
      if (event.type === 'stop-requested') course.abort(event.signal);
      current = await record(current, event);
    }
    return current;
  } catch (error) {
    course.abort('fault');
    await Promise.all(underWay);
    throw error;
  }
}

/** Appends events in one step, folds them, and lets the surfaces follow. */
async function writeDown(
  before: RunState | undefined,
  events: readonly [RunEvent, ...RunEvent[]],
  { journal, follow }: Course,
): Promise<RunState> {
  const envelopes = await journal.append(events);
  const steps: Step[] = [];
  for (const envelope of envelopes)
    steps.push({ envelope, state: evolve(steps.at(-1)?.state ?? before, envelope.event) });
  await follow(steps);
  const last = steps.at(-1);
  if (last === undefined) throw new Error('The journal took no event.');
  return last.state;
}
