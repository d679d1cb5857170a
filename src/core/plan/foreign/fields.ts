import type { FieldPlace, Source } from '../read/fields.ts';
import { FIELD_NAMES } from '../read/fields.ts';
import { afterListMark } from '../read/line-forms.ts';
import { endOf, firstInk, indentOf, isBlankLine, type Lines, startOf } from '../read/lines.ts';

/** The fields of a task that act; every other name is text. */
export type ActingField =
  | 'do'
  | 'files'
  | 'doneWhen'
  | 'verify'
  | 'commit'
  | 'requirements'
  | 'design'
  | 'dependsOn'
  | 'fixes'
  | 'boundary'
  | 'blocked';

/** The acting fields of one task; of two with the same name the one further left counts, then the first. */
export type ActingFields = { readonly [name in ActingField]?: FieldPlace };

const NAMES: ReadonlyMap<string, ActingField> = new Map<string, ActingField>([
  ...FIELD_NAMES,
  ['fixes', 'fixes'],
  ['boundary', 'boundary'],
  ['blocked', 'blocked'],
]);
/** A name in bold, or in one pair of underscores that ends after the value; or, after a bullet, a bare one. */
const BOLD =
  /(?:[-*+][ \t]+)?(?:\*\*|__)([^*_:：\n]{1,60}?)[ \t]?(?:[:：][ \t]*(?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])[ \t]*/y;
const EMPHASISED = /(?:[-*+][ \t]+)?_(?!_)([^*_:：\n]{1,60}?)[ \t]?[:：][ \t]*/y;
const BARE = /[-*+][ \t]+([A-Za-z]+(?: [A-Za-z]+)?)[ \t]?[:：][ \t]*/y;

interface FoundName {
  readonly name: ActingField | undefined;
  readonly at: number;
  readonly isEmphasised: boolean;
  readonly isParagraph: boolean;
}

/** Finds the acting fields in the lines `[from, to)` (R-READ-11). What is inside the value of another name is text. */
export function readActingFields(source: Source, from: number, to: number): ActingFields {
  const found: { -readonly [name in ActingField]?: FieldPlace } = {};
  for (let line = from; line < to; line++) {
    const head = source.kinds[line] === 'text' ? nameOn(source.lines, line) : undefined;
    if (head === undefined) continue;
    const indent = indentOf(source.lines, line);
    const end = valueEnd(source, { line, indent, to, isParagraph: head.isParagraph });
    const known = head.name === undefined ? undefined : found[head.name];
    if (head.name !== undefined && (known === undefined || indent < known.indent))
      found[head.name] = { line, indent, at: head.at, end, ...(head.isEmphasised ? { isEmphasised: true } : {}) };
    line = end - 1;
  }
  return found;
}

/** Whether a line that begins no list item is a name with a colon in bold or underscores, and so ends a title. */
export function isNamedLine(lines: Lines, line: number): boolean {
  return nameOn(lines, line) !== undefined;
}

function nameOn(lines: Lines, line: number): FoundName | undefined {
  const { text } = lines;
  const ink = firstInk(lines, line);
  const end = endOf(lines, line);
  const isParagraph = afterListMark(text, ink) === undefined;
  for (const [form, isEmphasised] of [
    [BOLD, false],
    [EMPHASISED, true],
    [BARE, false],
  ] as const) {
    form.lastIndex = ink;
    const found = form.exec(text);
    if (found === null || form.lastIndex > Math.max(end, ink)) continue;
    const name = NAMES.get((found[1] ?? '').trim().toLowerCase());
    if (form === BARE && name === undefined) return undefined;
    return { name, at: form.lastIndex, isEmphasised, isParagraph };
  }
  return undefined;
}

/** A value goes on as long as lines are further right or hidden; that of a paragraph, up to a blank line or another name. */
function valueEnd(
  source: Source,
  start: { readonly line: number; readonly indent: number; readonly to: number; readonly isParagraph: boolean },
): number {
  let end = start.line + 1;
  for (let line = end; line < start.to; line++) {
    if (source.kinds[line] !== 'text') end = line + 1;
    else if (isBlankLine(source.lines, line)) {
      if (start.isParagraph) return end;
    } else if (indentOf(source.lines, line) <= start.indent && !(start.isParagraph && isPlain(source.lines, line)))
      return end;
    else end = line + 1;
  }
  return end;
}

/** A line that goes on with a paragraph: no list item and no other name. */
function isPlain(lines: Lines, line: number): boolean {
  return afterListMark(lines.text, startOf(lines, line)) === undefined && nameOn(lines, line) === undefined;
}
