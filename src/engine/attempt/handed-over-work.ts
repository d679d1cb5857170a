import type { RunEvent } from '../../core/run/data/event.ts';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import type { World } from '../lane/world.ts';

/** The state file as it is when work is handed over. */
export function stateOf({ stateFile: { text } }: Pick<World, 'stateFile'>): { readonly stateText?: string } {
  return text === undefined ? {} : { stateText: text };
}

/** Who reported the answer to work that was handed over. */
export async function workReported(
  { effect: { task, attempt }, holder: { driver, token } }: HandOver,
  { handedOver }: Pick<World, 'handedOver'>,
): Promise<RunEvent> {
  const by = (await handedOver.reported(token))?.by;
  return { type: 'work-reported', task, attempt, driver, ...(by && { by }) };
}
