import { oneLine, stripEscapes } from '../text/sanitise.ts';
import { LIST_MARKS } from './lines.ts';

/** What a failed attempt said about itself (R-REC-2). Each part is one line, bounded and free of control characters. */
export interface FailureReport {
  readonly error: string;
  readonly attemptedFix: string;
  readonly status: string;
}

type ReportField = keyof FailureReport;

/** What stands for a part that the report leaves out. */
export const FAILURE_FALLBACKS: FailureReport = {
  error: 'Task execution failed',
  attemptedFix: 'No fix attempted',
  status: 'Unknown status',
};

/** What stands for an attempt without any report. */
export const NO_FAILURE_REPORT = 'Task did not complete';

/** The words that stand for the parts in the form an agent is shown; echoed, they say nothing. */
export const FAILURE_PLACEHOLDERS: FailureReport = {
  error: '<what went wrong>',
  attemptedFix: '<what you tried>',
  status: '<what stands in the way now>',
};

const FIELDS: ReadonlyMap<string, ReportField> = new Map([
  ['error', 'error'],
  ['attempted fix', 'attemptedFix'],
  ['status', 'status'],
]);
const FIELD_CHARS_MAX = 2_000;
/** Lines longer than this are cut before they are looked at. */
const LINE_CHARS_MAX = 4 * FIELD_CHARS_MAX;
const HEAD = /^Task[ \t]+\S/;
const HEAD_END = /FAILED[.!:]?$/;
const FIELD_LINE = /^(\*\*|__|[*_`])?(error|attempted fix|status)[*_`]{0,2}[ \t]*:(?:\1)?[ \t]*(.*)$/i;
const FENCE_LINE = /^(?:```|~~~)/;

/**
 * Reads the last failure report for this task from an agent's final answer (R-REC-2): `Task 1.3: <name> FAILED` and the
 * lines *Error*, *Attempted fix*, *Status* below it, in any order, with or without emphasis, also in a code fence, but
 * not quoted. Ids compare exactly. `undefined` when there is no such report.
 */
export function readFailureReport(finalAnswer: string, taskId: string): FailureReport | undefined {
  let found: FailureReport | undefined;
  let current: Partial<Record<ReportField, string>> | undefined;
  let field: ReportField | undefined;
  const close = () => {
    if (current !== undefined) found = finished(current) ?? found;
    current = undefined;
    field = undefined;
  };
  for (const line of stripEscapes(finalAnswer).split('\n')) {
    const text = withoutMarks(line.slice(0, LINE_CHARS_MAX));
    const head = headOf(text);
    if (head !== undefined) {
      close();
      if (names(head, taskId)) current = {};
    } else if (current !== undefined) field = readPart(current, { line, text, field });
  }
  close();
  return found;
}

/** Adds what one line says to the report; returns the field that a following line may go on with. */
function readPart(
  report: Partial<Record<ReportField, string>>,
  { line, text, field }: { line: string; text: string; field: ReportField | undefined },
): ReportField | undefined {
  const match = FIELD_LINE.exec(text);
  const named = FIELDS.get(match?.[2]?.toLowerCase() ?? '');
  if (named !== undefined) {
    report[named] = match?.[3]?.trim() ?? '';
    return named;
  }
  if (field === undefined || FENCE_LINE.test(text)) return field;
  const value = report[field] ?? '';
  if (text === '') return value === '' ? field : undefined;
  if (startsOwnPart(line)) return undefined;
  if (value.length < FIELD_CHARS_MAX) report[field] = `${value} ${text}`.trim();
  return field;
}

function startsOwnPart(line: string): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]/.test(line);
}

/** A line without list and heading marks; a quoted line is no part of any report. */
function withoutMarks(line: string): string {
  const text = line.replace(LIST_MARKS, '').replace(/^#{1,6}[ \t]+/, '');
  return text.startsWith('>') ? '' : text.trim();
}

/** What is after the word "Task" when the line is the head of a report. */
function headOf(text: string): string | undefined {
  const plain = text.replace(/\*\*|__|`|^[*_]|[*_]$/g, '').trim();
  return HEAD.test(plain) && HEAD_END.test(plain) ? plain.slice('Task'.length).trim() : undefined;
}

function names(head: string, taskId: string): boolean {
  return head.startsWith(taskId) && /^[:\s]/.test(head.slice(taskId.length));
}

function finished(report: Partial<Record<ReportField, string>>): FailureReport | undefined {
  const fields = [...FIELDS.values()];
  const isEcho = fields.every((field) => report[field] === FAILURE_PLACEHOLDERS[field]);
  if (isEcho) return undefined;
  const part = (field: ReportField) => {
    const said = oneLine(report[field] ?? '', FIELD_CHARS_MAX);
    return said === '' || said === FAILURE_PLACEHOLDERS[field] ? FAILURE_FALLBACKS[field] : said;
  };
  return { error: part('error'), attemptedFix: part('attemptedFix'), status: part('status') };
}
