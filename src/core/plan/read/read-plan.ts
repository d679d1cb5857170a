import { TASKS_FILE } from '../../spec-files.ts';
import { firstOf } from '../../text/first-of.ts';
import type { Plan } from '../data/task.ts';
import { boxMark } from './line-forms.ts';
import { splitLines } from './lines.ts';
import { parsePlan } from './parse.ts';

/** A plan, or why the file holds none and what to do about it; both sentences end with a full stop. */
export type PlanReading =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problem: { readonly message: string; readonly hint: string } };

const LINES_NAMED = 10;
const TASK_FORM = 'A task is a list item with a box, such as: - [ ] 1.1 Add the parser.';

/** Reads the text of a `tasks.md`. One that is empty or without any task is refused: an unreadable plan is never "0 tasks, all done" (R-PARSE-6). */
export function readPlan(text: string): PlanReading {
  return readPlanWith(text, { file: TASKS_FILE, parse: parsePlan });
}

/** The same for a plan in another file or dialect. */
export function readPlanWith(
  text: string,
  { file, parse }: { readonly file: string; readonly parse: (text: string) => Plan },
): PlanReading {
  if (text.trim() === '') return refused(`${file} is empty.`, `Write the tasks first. ${TASK_FORM}`);
  const plan = parse(text);
  if (plan.tasks.length > 0) return { ok: true, plan };
  if (text.includes('\0')) return refused(`${file} holds NUL bytes and no task.`, 'Save the file as UTF-8.');
  const left = plan.problems.filter(({ code }) => code === 'criterion').length;
  if (left > 0) return refused(`No task was found in ${file}; ${left} boxes are criteria.`, leftOutHint(plan));
  return refused(`No task was found in ${file}.`, hasBox(text) ? hiddenHint(plan) : TASK_FORM);
}

/** Boxes are there, but all of them are in sections that hold criteria. */
function leftOutHint({ problems }: Plan): string {
  const lines = problems.filter(({ code }) => code === 'criterion').map(({ line }) => line);
  return `They are on line ${firstOf(lines.map(String), LINES_NAMED)}. If they are work, move them to a section with another heading.`;
}

function refused(message: string, hint: string): PlanReading {
  return { ok: false, problem: { message, hint } };
}

function hasBox(text: string): boolean {
  const lines = splitLines(text);
  return lines.starts.some((start) => boxMark(text, start) !== undefined);
}

/** Boxes are there, but all of them are hidden. */
function hiddenHint(plan: Plan): string {
  const first = plan.problems[0];
  if (first !== undefined) return `Line ${first.line}: ${first.message} ${first.hint}`;
  return 'All boxes in the file are inside code fences, code spans or HTML comments, which are ignored; move them out.';
}
