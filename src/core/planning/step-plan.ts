import type { DraftStep, Topic } from '../plan/data/step.ts';
import type { Plan, Task } from '../plan/data/task.ts';
import type { PlanFormat } from '../plan/format.ts';
import { taskMarkdown } from '../plan/task-markdown.ts';

/** A step of a list, and whether its document is there already and is kept as it is. */
export interface ListedStep {
  readonly step: DraftStep;
  readonly isDone: boolean;
  /** Subject of the commit that records it. */
  readonly commit: string;
}

const TITLES: Readonly<Record<DraftStep['artifact'], string>> = {
  research: 'Research the goal',
  requirements: 'Write the requirements',
  design: 'Write the design',
  tasks: 'Write the tasks',
};

const TOPIC_TITLES: Readonly<Record<Topic, string>> = {
  code: 'Research this code',
  outside: 'Research what others know',
  tooling: 'Research the tools of the project',
};

/** The steps of planning as the plan of a run: one unit for each, with its document as the only file (R-PLAN-2). */
export function stepPlan(steps: readonly ListedStep[], { path }: { readonly path: string }): Plan {
  const tasks = steps.map(({ step, isDone, commit }, index): Task => {
    const { topic } = step;
    const id = stepId(step);
    const title = topic === undefined ? TITLES[step.artifact] : TOPIC_TITLES[topic];
    return {
      index,
      id,
      key: id.replace(':', '-'),
      hasOwnId: true,
      title,
      state: isDone ? 'done' : 'open',
      checked: isDone,
      markers: [],
      parallel: topic !== undefined,
      verify: false,
      sequential: false,
      optional: false,
      files: [`${path}/${step.file}`],
      filesKnown: true,
      verifyKind: 'none',
      verifyCommand: null,
      commitKind: 'message',
      commit,
      requirements: [],
      design: [],
      dependsOn: [],
      block: `${id}: ${title} (${path}/${step.file})`,
      box: { line: 1, column: 1, offset: 0 },
      span: { start: 0, end: 0 },
      step,
    };
  });
  return { text: '', dialect: 'ralph-specum', tasks, groups: [], problems: [], eol: '\n' };
}

/** How people name a step: by its document, a topic of research as `research:code`. */
export function stepId({ artifact, topic }: Pick<DraftStep, 'artifact' | 'topic'>): string {
  return topic === undefined ? artifact : `${artifact}:${topic}`;
}

const UNCHANGED = { ok: false, reason: 'The steps of planning are in no file.' } as const;

/** A plan that code made: nothing can change it, and no file holds it. */
export function stepFormat(plan: Plan): PlanFormat {
  return {
    // No file has this name.
    file: '.steps',
    dialect: 'ralph-specum',
    documents: taskMarkdown.documents,
    parse: () => plan,
    read: () => ({ ok: true, plan }),
    describe: () => [],
    tick: () => UNCHANGED,
    untick: () => UNCHANGED,
    reconcile: () => ({ text: plan.text, plan, violations: [], additions: [], ownTicked: [] }),
    insertFix: () => UNCHANGED,
    findFix: () => undefined,
    addToLifecycle: () => UNCHANGED,
    decide: () => UNCHANGED,
    modify: () => UNCHANGED,
  };
}
