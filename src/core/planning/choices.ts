import type { Drafted } from '../plan/data/step.ts';
import { appendToSection, findSection, sectionBody } from '../progress/sections.ts';
import { classify, WORKFLOW_OF } from './classify.ts';
import { GOAL_CLASSES, type GoalClass, TASKS_SIZES, type TasksSize, WORKFLOWS, type Workflow } from './goal-class.ts';
import { DOCUMENTS } from './steps.ts';

/** How a spec is planned: decided once, and kept in its progress file, so that every clone plans alike (R-PLAN-4). */
export interface PlanningChoices {
  readonly goalClass: GoalClass;
  readonly workflow: Workflow;
  /** Documents that are left out. */
  readonly skipped: readonly Drafted[];
  readonly tasksSize: TasksSize;
}

const SECTION = 'Planning';
const NAMES = ['goalClass', 'workflow', 'skipped', 'tasksSize'] as const satisfies readonly (keyof PlanningChoices)[];

/** What a person said this time. */
export type StatedChoices = Partial<PlanningChoices>;

/** The choices for a goal: what is said now, then what the progress file holds, then what the words of the goal say. */
export function choicesFor(goal: string, progress: string, stated: StatedChoices): PlanningChoices {
  const known = knownChoices(progress);
  const goalClass = stated.goalClass ?? known.goalClass ?? classify(goal).goalClass;
  const workflow = stated.workflow ?? (stated.goalClass === undefined ? known.workflow : undefined);
  return {
    goalClass,
    workflow: workflow ?? WORKFLOW_OF[goalClass],
    skipped: stated.skipped ?? known.skipped ?? [],
    tasksSize: stated.tasksSize ?? known.tasksSize ?? 'fine',
  };
}

function knownChoices(progress: string): StatedChoices {
  const body = sectionBody(progress, SECTION);
  const value = (name: string) => new RegExp(`^- ${name}: (.*?)[ \\t]*$`, 'm').exec(body)?.[1];
  const one = <T extends string>(name: string, all: readonly T[]) => all.find((each) => each === value(name));
  const goalClass = one('Class', GOAL_CLASSES);
  const workflow = one('Workflow', WORKFLOWS);
  const tasksSize = one('Task size', TASKS_SIZES);
  const skipped = value('Left out');
  return {
    ...(goalClass && { goalClass }),
    ...(workflow && { workflow }),
    ...(tasksSize && { tasksSize }),
    ...(skipped !== undefined && { skipped: DOCUMENTS.filter((name) => skipped.split(', ').includes(name)) }),
  };
}

/** Whether a progress file says how its spec is planned. */
export function hasChoices(progress: string): boolean {
  return knownChoices(progress).goalClass !== undefined;
}

/** The progress file with these choices in it. */
export function withChoices(progress: string, choices: PlanningChoices): string {
  const { goalClass, workflow, skipped, tasksSize } = choices;
  const known: StatedChoices = { skipped: [], ...knownChoices(progress) };
  if (NAMES.every((name) => String(known[name]) === String(choices[name]))) return progress;
  return appendToSection(without(progress), SECTION, [
    `- Class: ${goalClass}`,
    `- Workflow: ${workflow}`,
    `- Task size: ${tasksSize}`,
    ...(skipped.length === 0 ? [] : [`- Left out: ${skipped.join(', ')}`]),
  ]);
}

function without(progress: string): string {
  const section = findSection(progress, SECTION);
  return section === undefined ? progress : progress.slice(0, section.bodyStart) + progress.slice(section.end);
}
