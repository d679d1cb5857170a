import type { Effect } from '../core/run/data/effect.ts';
import type { Envelope, RunEvent } from '../core/run/data/event.ts';
import type { HandOver, Holder } from '../core/run/data/hand-over.ts';
import type { RunState } from '../core/run/data/state.ts';
import { handOvers } from '../core/run/drivers.ts';
import { evolve } from '../core/run/evolve.ts';
import { next } from '../core/run/next.ts';
import { isPaused } from '../core/run/pauses.ts';
import type { Journal } from '../ports/store.ts';
import type { Inbox } from './inbox.ts';

/** An event that is in the journal, and the state after it. */
export interface Appended {
  readonly envelope: Envelope;
  readonly state: RunState;
}

/** What the loop runs on: where events come from and go to, and what carries out effects. */
export interface Runtime {
  readonly journal: Journal;
  /** Resolves with `undefined` for an effect that was handed over. */
  readonly perform: (effect: Effect, state: RunState) => Promise<RunEvent | undefined>;
  /** Who an effect is handed over to; without it, or for `undefined`, it is carried out here. */
  readonly holderOf?: (effect: Effect) => Holder | undefined;
  /** Whether an effect may begin in this process; without it, each may. */
  readonly mayBegin?: (effect: Effect) => boolean;
  /** Looks whether an effect that was handed over earlier has come to its end; `undefined` if it has not. */
  readonly takeUp?: (handOver: HandOver, state: RunState) => Promise<RunEvent | undefined>;
  /** Called after events are durable and folded, in order; what it throws ends the run. */
  readonly follow: (appended: readonly Appended[]) => Promise<void>;
  /** Events from outside: a person's wish to stop, a timer. */
  readonly inbox: Inbox<RunEvent>;
  /** Asks everything under way to stop, and does not wait for it. */
  readonly abort: (reason: string) => void;
}

/**
 * Runs a plan to its end: takes the events that have arrived, folds each into the state, writes them down, then starts what
 * the new state calls for (R-FILE-7). The start of an effect is itself an event, so the journal knows of everything that may
 * be under way. If an effect fails in a way that no event tells (a full disk, a bug), everything under way is stopped and the
 * error is thrown: the journal is enough to go on from.
 *
 * Resolves with the state at the end of the run, or, with a driver, once nothing else can be done until an effect is reported,
 * a wait is over, or one may begin.
 */
export async function run(before: RunState | undefined, first: RunEvent, runtime: Runtime): Promise<RunState> {
  const underWay = new Set<Promise<void>>();
  const start = (act: () => Promise<RunEvent | undefined>): void => {
    const work = act().then(
      (event) => {
        underWay.delete(work);
        if (event) runtime.inbox.put(event);
        else runtime.inbox.wake();
      },
      (error) => {
        underWay.delete(work);
        runtime.inbox.fail(error);
      },
    );
    underWay.add(work);
  };
  /** Writes facts down together with the starts that follow from each, and only then starts these. */
  const record = async (state: RunState | undefined, facts: readonly RunEvent[]): Promise<RunState | undefined> => {
    const folds = foldAll(state, facts, runtime);
    await writeDown(folds, runtime);
    for (const { starts, state: now } of folds) if (starts) start(() => runtime.perform(starts, now));
    return folds.at(-1)?.state;
  };
  /** Asks after everything that an earlier process handed over. */
  const takeUp = (now: RunState | undefined): void => {
    const earlier = new Set(handOvers(before).map(({ holder }) => holder.token));
    for (const handOver of handOvers(now))
      if (now && earlier.has(handOver.holder.token)) start(async () => await runtime.takeUp?.(handOver, now));
  };
  try {
    let current = await record(before, [first]);
    const isAtRest = () => underWay.size === 0 && runtime.inbox.isEmpty && isUpToOthers(current);
    takeUp(current);
    while (current?.phase !== 'over' && !isAtRest()) {
      const events = await runtime.inbox.takeAll();
      for (const event of events) if (event.type === 'stop-requested') runtime.abort(event.signal);
      if (events.length > 0) current = await record(current, events);
    }
    return current as RunState;
  } catch (error) {
    runtime.abort('fault');
    await Promise.all(underWay);
    throw error;
  }
}

/** Whether what is left is not for this process: it was handed over, has its time, or may not begin here. */
function isUpToOthers(state: RunState | undefined): boolean {
  return state !== undefined && (handOvers(state).length > 0 || isPaused(state) || next(state) !== undefined);
}

interface Folded {
  readonly event: RunEvent;
  readonly state: RunState;
  /** The effect whose start the event is. */
  readonly starts: Effect | undefined;
}

/** Each fact and the starts that follow from it, up to the run's end: what arrives after it changes nothing. */
function foldAll(
  before: RunState | undefined,
  facts: readonly RunEvent[],
  { holderOf, mayBegin = () => true }: Pick<Runtime, 'holderOf' | 'mayBegin'>,
): readonly Folded[] {
  const folds: Folded[] = [];
  let now = before;
  for (const fact of facts) {
    let starts: Effect | undefined;
    for (let event: RunEvent | undefined = fact; event; ) {
      now = evolve(now, event);
      folds.push({ event, state: now, starts });
      const named = next(now);
      starts = named && mayBegin(named) ? named : undefined;
      const holder = starts && holderOf?.(starts);
      event = starts && { type: 'effect-started', effect: starts, ...(holder && { holder }) };
    }
    if (now?.phase === 'over') break;
  }
  return folds;
}

/** Appends events in one step, and lets the surfaces follow them. */
async function writeDown(folds: readonly Folded[], { journal, follow }: Runtime): Promise<void> {
  const envelopes = await journal.append(folds.map(({ event }) => event));
  const appended = envelopes.flatMap((envelope, at) => {
    const fold = folds[at];
    return fold ? [{ envelope, state: fold.state }] : [];
  });
  await follow(appended);
}
