import type { Plan } from '../../src/core/plan/data/task.ts';
import type { PlanningFacts } from '../../src/core/planning/planning-facts.ts';
import { stepFormat, stepId, stepPlan } from '../../src/core/planning/step-plan.ts';
import type { RunState } from '../../src/core/run/data/state.ts';
import type { Drafting } from '../../src/ports/drafting.ts';
import { SPEC, type World } from './world.ts';

/** What a run of planning is started with, in a scenario that drafts documents. */
export function planningIn({ scenario: { isUndone }, branch, first }: World): PlanningFacts {
  const facts = { spec: 'demo', path: SPEC, goal: 'Build it', goalClass: 'mid-sized', workflow: 'tdd' } as const;
  return isUndone === true ? { ...facts, isQuick: true, before: { branch, head: first, uncommitted: [] } } : facts;
}

/** The steps of a scenario as the plan of a run; those that the last run recorded are done. `undefined` where a plan is run. */
export function stepsIn({ scenario: { drafts } }: World, last?: RunState): Plan | undefined {
  if (drafts === undefined) return undefined;
  const done = (id: string) => last?.tasks.some((task) => task.checked && task.id === id) ?? false;
  return stepPlan(
    drafts.map((listed) => ({ ...listed, isDone: listed.isDone || done(stepId(listed.step)) })),
    { path: SPEC },
  );
}

export { stepFormat };

/** The checks of a scenario: a draft is right when its author says that it is done, and wrong in any other form. */
export function draftingIn({ repository }: World): Drafting {
  return {
    check: async ({ file }, dir) => {
      const { files } = repository.tree(dir.slice(0, -`/${SPEC}`.length));
      const text = files.get(`${SPEC}/${file}`);
      const isRight = text?.startsWith('done:') ?? false;
      const problem = {
        severity: 'error',
        code: 'wrong',
        file,
        line: 1,
        message: 'It is wrong.',
        hint: 'Mend it.',
      } as const;
      return {
        problems: isRight ? [] : [problem],
        inputs: {},
        ...(text === undefined ? {} : { sha256: hashOf(text) }),
      };
    },
    mark: async () => {},
    noted: async ({ artifact }, progress) =>
      progress.includes(`## Noted: ${artifact}`) ? progress : `${progress}\n## Noted: ${artifact}\n`,
    forget: async () => [],
    material: async () => ({ goal: 'Build it', decisions: [], facts: [], inputs: [], rules: [] }),
  };
}

/** Another text has another hash. */
export function hashOf(text: string): string {
  return Buffer.from(text).toString('hex').padStart(64, '0');
}
