import { afterListMark } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, firstInk, indentOf, isBlankLine, type Lines, startOf, withLineFeeds } from './lines.ts';

/** The fields a task can have; `dependsOn` stands for *Depends*, *Depends on* and *Dependencies*. */
export type FieldName = 'do' | 'files' | 'doneWhen' | 'verify' | 'commit' | 'requirements' | 'design' | 'dependsOn';

/** Where a field is and how far its value reaches. */
export interface FieldPlace {
  readonly line: number;
  /** Columns before the field. */
  readonly indent: number;
  /** Offset of the first character after the colon and blanks. */
  readonly at: number;
  /** The line after the value's last line. */
  readonly end: number;
  /** Name and value are in one pair of underscores, the second of which is no part of the value. */
  readonly isEmphasised?: true;
}

/** A field with its name. */
export interface Field extends FieldPlace {
  readonly name: FieldName;
}

/** The fields of one task; of two with the same name the one further left counts, then the first. */
export type Fields = { readonly [name in FieldName]: Field | undefined };

/** A file cut into lines, with what each line is. */
export interface Source {
  readonly lines: Lines;
  readonly kinds: readonly LineKind[];
}

/** What `fieldHead` finds on a line. */
interface FieldHead {
  readonly name: FieldName;
  readonly at: number;
  /** Only `**Name**:` without a list mark before it: the line begins with the same mark twice. */
  readonly isParagraph: boolean;
}

/** The names of fields as people write them, in lower case. */
export const FIELD_NAMES: ReadonlyMap<string, FieldName> = new Map([
  ['do', 'do'],
  ['files', 'files'],
  ['file', 'files'],
  ['done when', 'doneWhen'],
  ['verify', 'verify'],
  ['commit', 'commit'],
  ['requirements', 'requirements'],
  ['design', 'design'],
  ['depends', 'dependsOn'],
  ['depends on', 'dependsOn'],
  ['dependencies', 'dependsOn'],
]);
/** What a search begins with: all searches then fill objects of one shape. */
const NO_FIELDS: Fields = {
  do: undefined,
  files: undefined,
  doneWhen: undefined,
  verify: undefined,
  commit: undefined,
  requirements: undefined,
  design: undefined,
  dependsOn: undefined,
};
const NAMES = 'do|files?|done when|verify|commit|requirements|design|depends(?: on)?|dependencies';
const FIELD = new RegExp(
  String.raw`(?:[-*+][ \t]+(?:\[[ xX~-]\][ \t]+)?)?(?:(?:\*\*|__)(?:${NAMES})[ \t]?(?:[:：][ \t]*(?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])|(?:${NAMES})[ \t]?[:：])[ \t]*`,
  'iy',
);
const REFERENCE = /(?:[-*+][ \t]+)?_(?:requirements|design|depends(?: on)?|dependencies)[ \t]?[:：][ \t]*/iy;
/** What is before the name of a field that was found, and the name itself. */
const MARKS = /(?:[-*+][ \t]+(?:\[[ xX~-]\][ \t]+)?)?[*_]*/y;
const NAME = /[a-z]+(?: (?:when|on))?/iy;
/** A field begins with a list mark, bold, or the emphasis of a reference. */
const FIRST_OF_FIELD = '-*+_';
const BOLD_NAME = /\*\*[^*\n]{1,60}(?::\*\*|\*\*[ \t]*[:：])/y;

/** Finds the fields in the lines `[from, to)` (R-READ-11). */
export function readFields(source: Source, from: number, to: number): Fields {
  const found: { -readonly [name in FieldName]: Fields[name] } = { ...NO_FIELDS };
  for (let line = from; line < to; line++) {
    const head = source.kinds[line] === 'text' ? fieldHead(source.lines, line) : undefined;
    if (head === undefined) continue;
    const indent = indentOf(source.lines, line);
    const end = valueEnd(source, { line, indent, to, isParagraph: head.isParagraph });
    const known = found[head.name];
    if (known === undefined || indent < known.indent)
      found[head.name] = { name: head.name, line, indent, at: head.at, end };
    line = end - 1;
  }
  return found;
}

function fieldHead(lines: Lines, line: number): FieldHead | undefined {
  const { text } = lines;
  const ink = firstInk(lines, line);
  const first = text.charAt(ink);
  if (!FIRST_OF_FIELD.includes(first)) return undefined;
  const at = afterMatch(FIELD, text, ink) ?? afterMatch(REFERENCE, text, ink);
  const name = at === undefined ? undefined : nameAt(text, ink);
  if (name === undefined || at === undefined) return undefined;
  return { name, at, isParagraph: text.charAt(ink + 1) === first };
}

/** Offset after what the pattern finds at `at`. A test costs a third of a match with groups, and every line is asked. */
function afterMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The field whose name is at `ink`, after the marks that a field begins with. */
function nameAt(text: string, ink: number): FieldName | undefined {
  const start = afterMatch(MARKS, text, ink) ?? ink;
  const end = afterMatch(NAME, text, start);
  return FIELD_NAMES.get(text.slice(start, end).toLowerCase());
}

interface ValueStart {
  readonly line: number;
  readonly indent: number;
  readonly to: number;
  readonly isParagraph: boolean;
}

/** A value goes on as long as lines are further right or hidden; that of a paragraph, up to the next blank line. */
function valueEnd(source: Source, start: ValueStart): number {
  let end = start.line + 1;
  for (let line = end; line < start.to; line++) {
    if (source.kinds[line] !== 'text') end = line + 1;
    else if (isBlankLine(source.lines, line)) {
      if (start.isParagraph) return end;
    } else if (start.isParagraph ? beginsField(source.lines, line) : indentOf(source.lines, line) <= start.indent)
      return end;
    else end = line + 1;
  }
  return end;
}

function beginsField(lines: Lines, line: number): boolean {
  BOLD_NAME.lastIndex = firstInk(lines, line);
  return BOLD_NAME.test(lines.text) || fieldHead(lines, line) !== undefined;
}

/** The rest of the field's own line; in a code span that goes on below, up to the end of the line that closes it. */
export function firstValue(source: Source, field: FieldPlace): string {
  let last = field.line;
  while (last + 1 < field.end && source.kinds[last + 1] === 'span') last++;
  const text = source.lines.text.slice(field.at, Math.max(field.at, endOf(source.lines, last)));
  return withoutEmphasis(withLineFeeds(text).trim(), field);
}

function withoutEmphasis(value: string, { isEmphasised }: FieldPlace): string {
  return isEmphasised && value.endsWith('_') ? value.slice(0, -1).trimEnd() : value;
}

/** The lines of the value below the part that `firstValue` gives. */
export function restOfValue(source: Source, field: FieldPlace): { readonly from: number; readonly to: number } {
  let from = field.line + 1;
  while (from < field.end && source.kinds[from] === 'span') from++;
  return { from, to: field.end };
}

/** The whole value as written, trimmed, with LF line breaks. */
export function valueText(source: Source, field: FieldPlace): string {
  const text = source.lines.text.slice(field.at, Math.max(field.at, endOf(source.lines, field.end - 1)));
  return withoutEmphasis(withLineFeeds(text).trim(), field);
}

/** The whole value; what is below the first line loses the indentation it shares. */
export function blockValue(source: Source, field: FieldPlace): string {
  const { lines } = source;
  const { text } = lines;
  const cut = leastBlanks(lines, field.line + 1, field.end);
  let value = text.slice(field.at, endOf(lines, field.line)).trim();
  for (let line = field.line + 1; line < field.end; line++) {
    const end = endOf(lines, line);
    value += `\n${text.slice(Math.min(startOf(lines, line) + cut, end), end).trimEnd()}`;
  }
  return withoutEmphasis(value.trim(), field);
}

/** How many characters of white space each of the lines `[from, to)` with text begins with at least. */
function leastBlanks(lines: Lines, from: number, to: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let line = from; line < to; line++) {
    if (!isBlankLine(lines, line)) least = Math.min(least, firstInk(lines, line) - startOf(lines, line));
  }
  return least;
}

/** The bullets among these lines that act, each without its mark. */
export function listItems(source: Source, range: { readonly from: number; readonly to: number }): readonly string[] {
  const items: string[] = [];
  for (let line = range.from; line < range.to; line++) {
    if (source.kinds[line] !== 'text') continue;
    const end = endOf(source.lines, line);
    const at = afterListMark(source.lines.text, startOf(source.lines, line));
    if (at !== undefined && at < end) items.push(source.lines.text.slice(at, end).trim());
  }
  return items;
}
