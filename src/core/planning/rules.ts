import type { Drafted } from '../plan/data/step.ts';
import type { PlanningChoices } from './choices.ts';
import type { GoalClass, Workflow } from './goal-class.ts';

/** How many tasks a plan of this class may have (R-PLAN-4); `files` are those that the design lists. `undefined`: no ceiling. */
export function tasksMax({ goalClass, tasksSize }: PlanningChoices, files: number | undefined): number | undefined {
  const max = ceiling(goalClass, files);
  return max === undefined || tasksSize === 'fine' ? max : Math.max(1, Math.floor(max / 2));
}

function ceiling(goalClass: GoalClass, files: number | undefined): number | undefined {
  switch (goalClass) {
    case 'trivial':
      return 5;
    case 'bug-fix':
      return 12;
    case 'refactor':
      return undefined;
    case 'mid-sized':
      return files === undefined ? undefined : 3 * files + 10;
    case 'greenfield':
      return files === undefined ? undefined : 4 * files + 10;
  }
}

const WORKFLOW_RULES: Readonly<Record<Workflow, string>> = {
  'poc-first':
    'Phases, in this order: Make it work (a proof of concept, end to end), Refactor, Tests, Quality checks. Tests come after the proof of concept.',
  tdd: 'Tests first: each change of behaviour is a [RED] task that writes a failing test, then a [GREEN] task that makes it pass, then, where it is worth it, a [YELLOW] task that tidies up.',
  'reproduce-first':
    'The first task reproduces the defect by a failing test or command, then comes the fix, and the last task runs the same reproduction again: it has to pass.',
};

/** What holds for a document of a goal of this class, in numbers, a line each. */
export function rulesFor(
  artifact: Drafted,
  choices: PlanningChoices,
  {
    designFiles,
    reproduction,
  }: { readonly designFiles?: number | undefined; readonly reproduction?: string | undefined },
): readonly string[] {
  const { goalClass, workflow, tasksSize } = choices;
  const kind = `The goal is classed as ${goalClass}: take the least that is enough for it.`;
  const shows = reproduction === undefined ? [] : [`This command shows the defect: ${reproduction}`];
  if (artifact !== 'tasks') return [kind, ...shows];
  const max = tasksMax(choices, designFiles);
  const isTrivial = goalClass === 'trivial';
  return [
    kind,
    ...shows,
    ...(shows.length === 0 ? [] : ['The Verify of the last task is this command, as it is written here.']),
    ...(max === undefined ? [] : [`At most ${max} tasks.`]),
    isTrivial ? 'No [RED], [GREEN] and [YELLOW] tasks: change it and check it.' : WORKFLOW_RULES[workflow],
    ...(tasksSize === 'coarse' ? ['Coarse tasks: a task may have up to 10 steps and 6 files.'] : []),
  ];
}
