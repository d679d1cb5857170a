import { boxMark } from './line-forms.ts';
import { splitLines } from './lines.ts';
import { parsePlan } from './parse.ts';
import type { Plan } from './task.ts';
import { decodeUtf8 } from './utf8.ts';

/** A plan, or why the file holds none and what to do about it; both sentences end with a full stop. */
export type PlanReading =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problem: { readonly message: string; readonly hint: string } };

const MEBIBYTE = 1024 * 1024;
const TASK_FORM = 'A task is a list item with a box, such as: - [ ] 1.1 Add the parser.';

/**
 * Reads the bytes of a `tasks.md`. A file that is empty, no UTF-8, larger than `bytesMax` bytes, or without any task is
 * refused: an unreadable plan is never "0 tasks, all done" (R-PARSE-6).
 */
export function readPlan(bytes: Uint8Array, options: { readonly bytesMax: number }): PlanReading {
  if (bytes.length > options.bytesMax) {
    const size = `${(bytes.length / MEBIBYTE).toFixed(1)} MiB`;
    const limit = `${(options.bytesMax / MEBIBYTE).toFixed(1)} MiB`;
    return refused(`tasks.md is too large: ${size}, the limit is ${limit}.`, 'Split the spec, or raise the limit.');
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok)
    return refused(`tasks.md is not UTF-8: byte ${decoded.at} is no valid character.`, encodingHint(bytes));
  if (decoded.text.trim() === '') return refused('tasks.md is empty.', `Write the tasks first. ${TASK_FORM}`);
  const plan = parsePlan(decoded.text);
  if (plan.tasks.length > 0) return { ok: true, plan };
  if (decoded.text.includes('\0')) return refused('tasks.md holds no task, but NUL bytes.', encodingHint(bytes));
  return refused('No task was found in tasks.md.', hasBox(decoded.text) ? hiddenHint(plan) : TASK_FORM);
}

function refused(message: string, hint: string): PlanReading {
  return { ok: false, problem: { message, hint } };
}

function encodingHint(bytes: Uint8Array): string {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff) || bytes[1] === 0;
  return isUtf16 ? 'The file looks like UTF-16; save it as UTF-8.' : 'Save the file as UTF-8.';
}

function hasBox(text: string): boolean {
  const lines = splitLines(text);
  return lines.starts.some((start) => boxMark(text, start) !== undefined);
}

/** Boxes are there, but all of them are hidden. */
function hiddenHint(plan: Plan): string {
  const first = plan.problems[0];
  if (first !== undefined) return `Line ${first.line}: ${first.message} ${first.hint}`;
  return 'The boxes of the file stand in code fences, code spans or HTML comments, where they are only text; take them out.';
}
