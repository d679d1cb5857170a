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
  /** A fact is written down together with the starts that follow from it, and only then these are started. */
  const record = async (before: RunState | undefined, fact: RunEvent): Promise<RunState> => {
    const steps: [Fold, ...Fold[]] = [{ event: fact, state: evolve(before, fact) }];
    let now = steps[0].state;
    for (let effect = next(now); effect; effect = next(now)) {
      const event = { type: 'effect-started', effect } as const;
      now = evolve(now, event);
      steps.push({ event, state: now });
    }
    await writeDown(steps, course);
    for (const { event, state } of steps) if (event.type === 'effect-started') start(event.effect, state);
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

interface Fold {
  readonly event: RunEvent;
  readonly state: RunState;
}

/** Appends events in one step, and lets the surfaces follow them. */
async function writeDown(steps: readonly [Fold, ...Fold[]], { journal, follow }: Course): Promise<void> {
  const [first, ...rest] = steps;
  const envelopes = await journal.append([first.event, ...rest.map(({ event }) => event)]);
  await follow(envelopes.map((envelope, at) => ({ envelope, state: (steps[at] ?? first).state })));
}
