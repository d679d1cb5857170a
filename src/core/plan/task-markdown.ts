import { DESIGN_FILE, REQUIREMENTS_FILE, RESEARCH_FILE, TASKS_FILE } from '../spec-files.ts';
import { addLifecycleTask } from './edit/add-task.ts';
import { insertBlock, tick, untick } from './edit/edit.ts';
import { fixPlace, fixTaskBlock } from './edit/fix-task.ts';
import { applyModification, checkModification } from './edit/modification.ts';
import { reconcile } from './edit/reconcile.ts';
import type { PlanFormat } from './format.ts';
import { lintPlan } from './lint.ts';
import { parsePlan } from './read/parse.ts';
import { readPlan } from './read/read-plan.ts';

/** Task lists in Markdown: each task a list item with a box, or a heading with boxes below it. */
export const taskMarkdown: PlanFormat = {
  file: TASKS_FILE,
  dialect: 'ralph-specum',
  documents: { requirements: REQUIREMENTS_FILE, design: DESIGN_FILE, more: [RESEARCH_FILE], shared: [] },
  parse: parsePlan,
  read: readPlan,
  describe: lintPlan,
  tick,
  untick,
  reconcile: (before, text, options) => reconcile(before, text, options),
  insertFix: (plan, request) => insertBlock(plan, { after: fixPlace(plan, request.original) }, fixTaskBlock(request)),
  findFix: ({ tasks }, { id }) => tasks.find((task) => task.id === id),
  addToLifecycle: (plan, section, block) => addLifecycleTask(plan, section, block),
  decide: checkModification,
  modify: applyModification,
};
