import { draftBrief } from '../../core/brief/draft-brief.ts';
import { seenFrom } from '../../core/plan/workdir.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/state.ts';
import type { World } from '../lane/world.ts';
import { draftingOf } from './drafting-of.ts';
import { type PromptOrder, workPrompt } from './work-prompt.ts';

type PromptPlace = Pick<
  World,
  'spec' | 'plan' | 'files' | 'workdir' | 'lane' | 'promptBytesMax' | 'drafting' | 'coverage'
>;

/** The prompt of an attempt, at a task or at a draft (R-DEL-3, R-PLAN-2). Reads, and changes nothing (R-AGT-7). */
export async function promptOf(order: PromptOrder, state: RunState, place: PromptPlace): Promise<string> {
  return taskOf(state, order.task).step === undefined
    ? await workPrompt(order, state, place)
    : await draftPrompt(order, state, place);
}

async function draftPrompt({ task: key, attempt }: PromptOrder, state: RunState, place: PromptPlace): Promise<string> {
  const { step, drafting } = draftingOf(state, key, place);
  const { spec, workdir, promptBytesMax } = place;
  const { failures, note, answered, promptBytesMax: shorter = promptBytesMax } = progressOf(state, key);
  const last = note ?? failures.at(-1)?.failure;
  const { feedback } = state.planning ?? {};
  const material = await drafting.material(step);
  return draftBrief({
    step,
    spec: { name: spec.name, path: seenFrom(workdir, spec.path) },
    attempt,
    bytesMax: Math.min(promptBytesMax, shorter),
    material: feedback === undefined ? material : { ...material, feedback },
    ...(last ? { lastFailure: { layer: last.layer, text: last.text } } : {}),
    ...(answered === undefined ? {} : { answered }),
  });
}
