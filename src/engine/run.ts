import type { Effect } from '../core/run/effect.ts';
import type { Envelope, RunEvent } from '../core/run/event.ts';
import { evolve } from '../core/run/evolve.ts';
import { next } from '../core/run/next.ts';
import type { RunState } from '../core/run/state.ts';
import type { Journal } from '../ports/store.ts';
import type { Inbox } from './inbox.ts';

/** What the loop needs: where facts go, and who carries out orders. */
export interface Course {
  readonly journal: Journal;
  readonly perform: (effect: Effect, state: RunState) => Promise<RunEvent>;
  /** Called after an event is durable and folded, in order; must not throw. */
  readonly follow: (envelope: Envelope, state: RunState) => Promise<void>;
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
  const record = async (before: RunState | undefined, event: RunEvent): Promise<RunState> => {
    const envelope = await course.journal.append(event);
    const after = evolve(before, event);
    await course.follow(envelope, after);
    return after;
  };
  const start = (effect: Effect, now: RunState): void => {
    const work = course.perform(effect, now).then(
      (event) => course.inbox.put(event),
      (error) => course.inbox.fail(error),
    );
    underWay.add(work);
    void work.then(() => underWay.delete(work));
  };
  try {
    let current = await record(state, first);
    while (current.phase !== 'over') {
      for (let effect = next(current); effect; effect = next(current)) {
        current = await record(current, { type: 'effect-started', effect });
        start(effect, current);
      }
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
