import { FAILURE_FALLBACKS } from '../../answer/failure-report.ts';
import type { Plan, Task } from '../data/task.ts';
import type { Edited } from '../edit/edit.ts';
import { escapeMarkdown, firstCharacters, oneLine } from '../edit/escape.ts';
import type { FixRequest } from '../edit/fix-task.ts';
import type { FieldPlace, Source } from '../read/fields.ts';
import { afterListMark } from '../read/line-forms.ts';
import { endOf, firstInk, startOf } from '../read/lines.ts';
import { type ActingFields, readActingFields } from './fields.ts';
import { insertForeign, lastOfFamily } from './insert.ts';
import { markAfterId, nextIdLike } from './next-id.ts';
import type { DialectRules } from './rules.ts';
import { shapeOf, sourceOfBlock } from './shape.ts';

/** How the title of a fix task begins; with a number where another one without an id would be called the same. */
export const FIX_TITLE = /^Fix(?: \(\d+\))?: /;

const TITLE_CHARS_MAX = 50;
const TEXT_CHARS_MAX = 500;
/** How many titles are tried for a fix of a task without an id, until no other task is called the same. */
const TITLES_MAX = 50;

/**
 * Writes a fix task after its original, what is nested in that, and its earlier fixes, in the form of the file (R-DIA-6): with
 * the next free id of the same level, and nothing invented. The id that the request proposes is not used.
 */
export function insertForeignFix(plan: Plan, request: FixRequest, rules: DialectRules): Edited {
  const { original } = request;
  const place = { after: lastOfFamily(plan, original) };
  const id = nextIdLike(plan, original);
  let edited: Edited = { ok: false, reason: 'No title is free for the fix task.' };
  for (let count = 1; count <= (id === undefined ? TITLES_MAX : 1); count++) {
    const block = fixBlock(request, { id, rules, suffix: count === 1 ? '' : ` (${count})` });
    edited = insertForeign(plan, { place, block, like: original }, rules);
    if (edited.ok && (id !== undefined || hasOwnTitle(edited.plan, place.after + 1))) return edited;
  }
  return edited;
}

/** Whether no other task is called the same: a fix of it names it by its title. */
function hasOwnTitle({ tasks }: Plan, index: number): boolean {
  return tasks.every(({ title }, at) => at === index || title !== tasks[index]?.title);
}

/** The block of a fix task, with LF line breaks. Foreign text in it is one line and escaped. */
function fixBlock(
  { original, ...request }: FixRequest,
  { id, rules, suffix }: { readonly id: string | undefined; readonly rules: DialectRules; readonly suffix: string },
): string {
  const error = oneLine(request.error) || FAILURE_FALLBACKS.error;
  const tried = oneLine(request.attemptedFix);
  const source = sourceOfBlock(original);
  const fields = readActingFields(source, 1, source.lines.count);
  const { indent, bullet, detail } = shapeOf(original);
  const files = rules.titleNamesFiles && fields.files === undefined ? original.files : [];
  const title = [
    ...(id === undefined ? [] : [`${id}${original.boxes === undefined ? markAfterId(original) : ':'}`]),
    ...(rules.titleNamesFiles
      ? original.markers.filter((marker) => /^US/.test(marker)).map((marker) => `[${marker}]`)
      : []),
    `Fix${suffix}: ${escapeMarkdown(firstCharacters(error, TITLE_CHARS_MAX))}`,
    ...(files.length === 0 ? [] : [`in ${files.join(', ')}`]),
  ].join(' ');
  const short = (text: string): string => escapeMarkdown(firstCharacters(text, TEXT_CHARS_MAX));
  const details = [
    `${detail}Error: ${short(error)}`,
    ...(tried === '' || tried === FAILURE_FALLBACKS.attemptedFix ? [] : [`${detail}Attempted fix: ${short(tried)}`]),
    `${detail}Done when: the error no longer occurs`,
    ...copiedFields(source, fields, detail),
    ...linkLines(original, { source, fields, detail, rules }),
  ];
  if (original.boxes === undefined) return [`${indent}${bullet} [ ] ${title}`, ...details].join('\n');
  const marks = /^[ \t]*(#{1,6})/.exec(original.block)?.[1] ?? '##';
  return [`${marks} Task ${title}`, '', ...details, '- [ ] The error no longer occurs'].join('\n');
}

function copiedFields(source: Source, { files, verify }: ActingFields, detail: string): readonly string[] {
  return [files, verify].flatMap((field) => (field === undefined ? [] : [asWritten(source, field, detail)]));
}

function linkLines(
  original: Task,
  at: {
    readonly source: Source;
    readonly fields: ActingFields;
    readonly detail: string;
    readonly rules: DialectRules;
  },
): readonly string[] {
  const { source, fields, detail, rules } = at;
  const isReference = rules.fixesLine === 'reference';
  const line =
    isReference && original.hasOwnId
      ? `${detail}_Fixes: ${original.id}_`
      : `${detail}Fixes: ${original.hasOwnId ? original.id : original.title}`;
  const { requirements } = fields;
  return isReference && requirements !== undefined ? [line, asWritten(source, requirements, detail)] : [line];
}

/** The lines of a field as the original has them, below a bullet; lines below the first keep their distance to it. */
function asWritten({ lines }: Source, field: FieldPlace, detail: string): string {
  const ink = firstInk(lines, field.line);
  const text = lines.text.slice(afterListMark(lines.text, ink) ?? ink, endOf(lines, field.line)).trimEnd();
  const shift = detail.length - 2 - (ink - startOf(lines, field.line));
  const below: string[] = [];
  for (let line = field.line + 1; line < field.end; line++) {
    const written = lines.text.slice(startOf(lines, line), endOf(lines, line)).trimEnd();
    below.push(
      shift >= 0 && written !== ''
        ? ' '.repeat(shift) + written
        : written.slice(Math.min(-shift, written.length - written.trimStart().length)),
    );
  }
  return [`${detail}${text}`, ...below].join('\n').trimEnd();
}
