import type { Envelope } from '../run/data/event.ts';
import { type HandOver, isForAgent } from '../run/data/hand-over.ts';
import type { RunState } from '../run/data/state.ts';
import { handOvers } from '../run/drivers.ts';

/**
 * What a token stands for (R-SES-2). `open`: its answer is awaited. `reported`: its answer was taken up. `overtaken`: another
 * attempt or driver came before its answer.
 */
export type Token = HandOver & { readonly is: 'open' | 'reported' | 'overtaken' };

/** Finds a token in the journal of a run, whose state is given; `undefined` if the run did not give it. */
export function tokenOf(envelopes: readonly Envelope[], state: RunState, token: string): Token | undefined {
  const open = handOvers(state).find(({ holder }) => holder.token === token);
  if (open !== undefined) return { ...open, is: 'open' };
  const at = envelopes.findIndex(({ event }) => event.type === 'effect-started' && event.holder?.token === token);
  const start = envelopes[at]?.event;
  if (start?.type !== 'effect-started' || start.holder === undefined || !isForAgent(start.effect)) return undefined;
  const handOver: HandOver = { effect: start.effect, holder: start.holder };
  return { ...handOver, is: isReported(envelopes.slice(at + 1), handOver) ? 'reported' : 'overtaken' };
}

/** Whether its answer came before anything else began for the task. */
function isReported(after: readonly Envelope[], { effect: { task, attempt } }: HandOver): boolean {
  const first = after.find(({ event }) =>
    event.type === 'work-reported' ? event.task === task && event.attempt === attempt : beginsAgain(event, task),
  );
  return first?.event.type === 'work-reported';
}

function beginsAgain(event: Envelope['event'], task: string): boolean {
  return event.type === 'effect-started' && isForAgent(event.effect) && event.effect.task === task;
}
