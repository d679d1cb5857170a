import { TASKS_FILE } from '../../spec-files.ts';
import type { Plan } from '../data/task.ts';
import { addLifecycleTask } from '../edit/add-task.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { PlanFormat } from '../format.ts';
import { readPlanWith } from '../read/read-plan.ts';
import type { PlanReader } from '../read/reader.ts';
import { describeForeign } from './describe.ts';
import { tickForeign, untickForeign } from './edit.ts';
import { FIX_TITLE, insertForeignFix } from './fix-task.ts';
import { insertForeign } from './insert.ts';
import { looseItems } from './loose-items.ts';
import { parseForeign } from './parse.ts';
import { decideForeign, modifyForeign } from './proposals.ts';
import type { DialectRules } from './rules.ts';

/** The format of a dialect that another tool owns, or none, in a file of this name (R-DIA-1, R-DIA-6). */
export function foreignFormat(rules: DialectRules, file: string = TASKS_FILE): PlanFormat {
  const parse = (text: string): Plan => parseForeign(text, rules);
  const reader: PlanReader = { parse, looseBoxes: (plan) => looseItems(plan, rules) };
  return {
    file,
    dialect: rules.name,
    documents: rules.documents,
    parse,
    read: (text) => readPlanWith(text, { file, parse }),
    describe: describeForeign,
    tick: (plan, task) => tickForeign(plan, task, rules),
    untick: (plan, task) => untickForeign(plan, task, rules),
    reconcile: (before, text, options) => reconcile(before, text, options, reader),
    insertFix: (plan, request) => insertForeignFix(plan, request, rules),
    findFix: ({ tasks }, { original, known }) =>
      tasks.find(
        ({ id, fixes, checked, title }) =>
          fixes === original.id && !checked && FIX_TITLE.test(title) && !known.includes(id),
      ),
    addToLifecycle: (plan, section, block) => addLifecycleTask(plan, section, block, { parse, insertAfter }),
    decide: (plan, request, limit) => decideForeign(plan, request, { ...limit, rules }),
    modify: (plan, request, tasks) => modifyForeign(plan, request, tasks, rules),
  };

  function insertAfter(plan: Plan, index: number, block: string) {
    const like = plan.tasks[index];
    if (like === undefined) return { ok: false, reason: 'The plan has no task.' } as const;
    return insertForeign(plan, { place: { after: index }, block, like }, rules);
  }
}
