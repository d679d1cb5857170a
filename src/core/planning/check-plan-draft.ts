import type { Plan, Task } from '../plan/data/task.ts';
import type { PlanningChoices } from './choices.ts';
import type { DraftProblem } from './draft-problem.ts';
import { tasksMax } from './rules.ts';

/** A plan that was drafted, and what it is measured by. */
export interface PlanDraft {
  /** Path of the file, relative to the repository. */
  readonly file: string;
  readonly plan: Plan;
  /** The plan as it was before; absent for a first one. */
  readonly before?: Plan | undefined;
  readonly choices: PlanningChoices;
  /** The command that shows the defect of a bug fix (R-BUG-1). */
  readonly reproduction?: string | undefined;
  /** How many files the design lists; absent without a design. */
  readonly designFiles?: number | undefined;
}

/** What is wrong with a drafted plan in addition to what `validate` says of any plan (R-PLAN-4, R-PLAN-5, R-BUG-1). */
export function checkPlanDraft(draft: PlanDraft): readonly DraftProblem[] {
  return [...keptTicks(draft), ...newTicks(draft), ...ceilingOf(draft), ...withoutReproduction(draft)];
}

/** What is done stays as it is written, byte for byte. */
function keptTicks({ file, plan, before }: PlanDraft): readonly DraftProblem[] {
  const done = (before?.tasks ?? []).filter(({ checked }) => checked);
  return done
    .filter(({ block }) => !plan.tasks.some((task) => task.block === block))
    .map(({ id }) => ({
      severity: 'error',
      code: 'done-task-changed',
      file,
      line: plan.tasks.find((task) => task.id === id)?.box.line ?? 1,
      message: `Task ${id} is done, and its block was changed or removed.`,
      hint: 'Put it back as it was, box included; add new tasks for what is to change.',
    }));
}

/** A new task cannot be done yet. */
function newTicks({ file, plan, before }: PlanDraft): readonly DraftProblem[] {
  const done = new Set((before?.tasks ?? []).filter(({ checked }) => checked).map(({ block }) => block));
  const isNew = (task: Task) => task.checked && !done.has(task.block);
  return plan.tasks.filter(isNew).map(({ id, box }) => ({
    severity: 'error',
    code: 'new-task-ticked',
    file,
    line: box.line,
    message: `The box of task ${id} is ticked, but nothing of it was done.`,
    hint: 'Leave the boxes of new tasks open.',
  }));
}

function ceilingOf({ file, plan, choices, designFiles }: PlanDraft): readonly DraftProblem[] {
  const max = tasksMax(choices, designFiles);
  const count = plan.tasks.length;
  if (max === undefined || count <= max) return [];
  const files = designFiles === undefined ? '' : ` and ${designFiles} files in the design`;
  return [
    {
      severity: 'finding',
      code: 'too-many-tasks',
      file,
      line: plan.tasks[max]?.box.line ?? 1,
      message: `The plan has ${count} tasks; for a goal of the class ${choices.goalClass}${files} at most ${max} are expected.`,
      hint: 'Merge tasks that belong together, and leave out what the requirements do not ask for.',
    },
  ];
}

/** The last task shows that the defect is gone, by the command that showed it. */
function withoutReproduction({ file, plan, reproduction }: PlanDraft): readonly DraftProblem[] {
  const last = plan.tasks.at(-1);
  if (reproduction === undefined || last === undefined) return [];
  if (plain(last.verifyCommand ?? '').includes(plain(reproduction))) return [];
  return [
    {
      severity: 'error',
      code: 'no-reproduction-last',
      file,
      line: last.box.line,
      message: `The Verify of the last task does not run the command that shows the defect: \`${reproduction}\`.`,
      hint: 'Let the last task verify with this command, as it is written here.',
    },
  ];
}

function plain(command: string): string {
  return command.replaceAll(/\s+/g, ' ').trim();
}
