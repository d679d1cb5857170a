import type { DraftStep } from '../../core/plan/data/step.ts';
import { type RunState, taskOf } from '../../core/run/data/state.ts';
import type { Drafting } from '../../ports/drafting.ts';
import type { World } from '../lane/world.ts';

/** What a step drafts, and what is known of the documents of its spec. Throws for a task of a plan, which drafts nothing. */
export function draftingOf(
  state: RunState,
  key: string,
  { drafting }: Pick<World, 'drafting'>,
): { readonly step: DraftStep; readonly drafting: Drafting } {
  const { step } = taskOf(state, key);
  if (step === undefined || drafting === undefined) throw new Error(`${key} is no step of planning.`);
  return { step, drafting };
}
