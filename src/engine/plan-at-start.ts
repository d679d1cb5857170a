import type { Plan } from '../core/plan/data/task.ts';
import type { PlanFormat } from '../core/plan/format.ts';
import type { Envelope } from '../core/run/data/event.ts';
import { fold } from '../core/run/evolve.ts';
import { inFlight } from '../core/run/holds-work.ts';
import { isInTree } from '../core/run/lane-of.ts';
import { isUnfinished } from '../core/run/start/is-unfinished.ts';
import { UserError } from '../core/user-error.ts';
import type { Git, Tree } from '../ports/git.ts';
import { readPlanText } from './lane/plan-text.ts';
import { planPath } from './lane/world.ts';

/** Where the plan of a start is looked for. */
export interface PlanSources {
  readonly git: Git;
  readonly tree: Tree;
  readonly spec: { readonly path: string; readonly format: PlanFormat };
  /** Reads the plan on disk. Throws `UserError` for one that is missing or cannot be read (R-PARSE-6). */
  readonly read: () => Promise<Plan>;
  /** Journal of the newest run. */
  readonly newest: () => Promise<readonly Envelope[]>;
}

/**
 * The plan that a start goes on from: the one on disk. Where an attempt may be at work in the tree, or was cut off there, and has
 * left none that can be read, it is the one of the last commit: the damage is part of that work, which is judged for it or
 * put back (R-VER-3). Throws what `read` throws.
 */
export async function planAtStart(sources: PlanSources): Promise<Plan> {
  try {
    return await sources.read();
  } catch (error) {
    const before = error instanceof UserError ? await planBeforeWork(sources) : undefined;
    if (before === undefined) throw error;
    return before;
  }
}

async function planBeforeWork({ git, tree, spec, newest }: PlanSources): Promise<Plan | undefined> {
  const state = fold((await newest()).map(({ event }) => event));
  if (state === undefined || !isUnfinished(state)) return undefined;
  const mayBeDamaged = inFlight(state).some((key) => isInTree(state, key));
  const text = mayBeDamaged ? await git.fileAt(tree, state.tip, planPath({ spec })) : undefined;
  return text === undefined ? undefined : readPlanText(spec.format, text);
}
