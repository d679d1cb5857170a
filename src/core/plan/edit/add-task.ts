import { isLifecyclePhase } from '../data/lifecycle.ts';
import type { Plan } from '../data/task.ts';
import { parsePlan } from '../read/parse.ts';
import { type Edited, insertBlock, whyNotInserted } from './edit.ts';

/** How a dialect reads a plan and takes in a task. */
interface AddingTasks {
  readonly parse: (text: string) => Plan;
  readonly insertAfter: (plan: Plan, index: number, block: string) => Edited;
}

const NATIVE: AddingTasks = {
  parse: parsePlan,
  insertAfter: (plan, after, block) => insertBlock(plan, { after }, block),
};

/**
 * Adds a task at the end of the section of the lifecycle, which is made where there is none (R-PR-2): a heading like those
 * of the other phases. Where a heading would change how other tasks read, the task goes after the last one.
 */
export function addLifecycleTask(
  plan: Plan,
  section: { readonly number: number },
  block: string,
  { parse, insertAfter }: AddingTasks = NATIVE,
): Edited {
  const last = plan.tasks.findLast(({ phase }) => isLifecyclePhase(phase));
  if (last) return insertAfter(plan, last.index, block);
  const own = withSection(plan, { heading: `## Phase ${section.number}: PR Lifecycle`, block, parse });
  return own.ok ? own : insertAfter(plan, plan.tasks.length - 1, block);
}

function withSection(
  plan: Plan,
  { heading, block, parse }: Pick<AddingTasks, 'parse'> & { readonly heading: string; readonly block: string },
): Edited {
  const { eol } = plan;
  const end = plan.text.endsWith('\n') ? '' : eol;
  const text = `${plan.text}${end}${eol}${heading}${eol}${eol}${block.replaceAll('\n', eol)}${eol}`;
  const edited = parse(text);
  const reason = whyNotInserted(plan, edited, { index: plan.tasks.length, block });
  const phase = edited.tasks.at(-1)?.phase;
  if (reason === undefined && !isLifecyclePhase(phase)) return { ok: false, reason: 'The heading is read as none.' };
  return reason === undefined ? { ok: true, text, plan: edited } : { ok: false, reason };
}
