import { type DraftMaterial, draftBrief } from '../../core/brief/draft-brief.ts';
import { seenFrom } from '../../core/plan/data/workdir.ts';
import { measuredLine } from '../../core/planning/project-commands.ts';
import { realityText } from '../../core/planning/reality-check.ts';
import { progressOf, type RunState, taskOf } from '../../core/run/data/state.ts';
import { measuredOf } from '../../core/run/measurement.ts';
import { realityOf } from '../../core/run/record/planning-notes.ts';
import type { World } from '../lane/world.ts';
import { draftingOf } from './drafting-of.ts';
import { type PromptOrder, workPrompt } from './work-prompt.ts';

const OUTPUT_LINES_MAX = 20;

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
  const material = await drafting.material(step);
  return draftBrief({
    step,
    spec: { name: spec.name, path: seenFrom(workdir, spec.path) },
    attempt,
    bytesMax: Math.min(promptBytesMax, shorter),
    material: withReality(state, withMeasured(state, material)),
    ...(last ? { lastFailure: { layer: last.layer, text: last.text } } : {}),
    ...(answered === undefined ? {} : { answered }),
  });
}

/** What the quality commands did: the authors copy it. */
function withMeasured(state: RunState, material: DraftMaterial): DraftMaterial {
  return { ...material, facts: [...measuredOf(state).map(measuredLine), ...material.facts] };
}

/** What the command did that shows the defect, before the fix (R-BUG-1). */
function withReality(state: RunState, material: DraftMaterial): DraftMaterial {
  const reality = realityOf(state);
  if (reality === undefined) return material;
  const said = `The command that shows the defect, ${reality.command}: ${realityText(reality)}. The end of its output:`;
  return {
    ...material,
    facts: [said, ...reality.output.trim().split('\n').slice(-OUTPUT_LINES_MAX), ...material.facts],
  };
}
