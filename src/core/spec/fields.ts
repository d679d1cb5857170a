import { behindListMark } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, firstInk, indentOf, isBlankLine, type Lines, lineText, startOf, withLineFeeds } from './lines.ts';

/** The fields a task can have; `dependsOn` stands for *Depends*, *Depends on* and *Dependencies*. */
export type FieldName = 'do' | 'files' | 'doneWhen' | 'verify' | 'commit' | 'requirements' | 'design' | 'dependsOn';

/** Where a field stands and how far its value reaches. */
export interface Field {
  readonly name: FieldName;
  readonly line: number;
  /** Columns before the field. */
  readonly indent: number;
  /** Offset of the first character behind the colon and blanks. */
  readonly at: number;
  /** The line behind the value's last line. */
  readonly end: number;
}

/** The fields of one task; of two with the same name the one further left counts, then the first. */
export type Fields = { readonly [name in FieldName]?: Field };

/** A file cut into lines, with what each line is. */
export interface Source {
  readonly lines: Lines;
  readonly kinds: readonly LineKind[];
}

/** What `fieldHead` finds on a line. */
interface FieldHead {
  readonly name: FieldName;
  readonly at: number;
  /** Only `**Name**:` without a list mark before it. */
  readonly isParagraph: boolean;
}

const FIELD_NAMES: ReadonlyMap<string, FieldName> = new Map([
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
const NAMES = 'do|files?|done when|verify|commit|requirements|design|depends(?: on)?|dependencies';
const FIELD = new RegExp(
  String.raw`([-*+][ \t]+(?:\[[ xX~-]\][ \t]+)?)?(?:(\*\*|__)(${NAMES})[ \t]?(?:[:：][ \t]*(?:\*\*|__)|(?:\*\*|__)[ \t]*[:：])|(${NAMES})[ \t]?[:：])[ \t]*`,
  'iy',
);
const REFERENCE = /(?:[-*+][ \t]+)?_(requirements|design|depends(?: on)?|dependencies)[ \t]?[:：][ \t]*/iy;
const BOLD_NAME = /\*\*[^*\n]{1,60}(?::\*\*|\*\*[ \t]*[:：])/y;

/** Finds the fields in the lines `[from, to)` (rule 11). */
export function readFields(source: Source, from: number, to: number): Fields {
  const found: { [name in FieldName]?: Field } = {};
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
  const ink = firstInk(lines, line);
  FIELD.lastIndex = ink;
  const found = FIELD.exec(lines.text);
  if (found !== null && (found[1] !== undefined || found[2] !== undefined)) {
    const name = FIELD_NAMES.get((found[3] ?? found[4] ?? '').toLowerCase());
    if (name !== undefined) return { name, at: ink + found[0].length, isParagraph: found[1] === undefined };
  }
  REFERENCE.lastIndex = ink;
  const reference = REFERENCE.exec(lines.text);
  const name = FIELD_NAMES.get(reference?.[1]?.toLowerCase() ?? '');
  return reference === null || name === undefined
    ? undefined
    : { name, at: ink + reference[0].length, isParagraph: false };
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
export function firstValue(source: Source, field: Field): string {
  let last = field.line;
  while (last + 1 < field.end && source.kinds[last + 1] === 'span') last++;
  const text = source.lines.text.slice(field.at, Math.max(field.at, endOf(source.lines, last)));
  return withLineFeeds(text).trim();
}

/** The lines of the value below the part that `firstValue` gives. */
export function restOfValue(source: Source, field: Field): { readonly from: number; readonly to: number } {
  let from = field.line + 1;
  while (from < field.end && source.kinds[from] === 'span') from++;
  return { from, to: field.end };
}

/** The whole value as written, trimmed, with LF line breaks. */
export function valueText(source: Source, field: Field): string {
  return withLineFeeds(
    source.lines.text.slice(field.at, Math.max(field.at, endOf(source.lines, field.end - 1))),
  ).trim();
}

/** The whole value; what stands below the first line loses the indentation it shares. */
export function blockValue(source: Source, field: Field): string {
  const first = source.lines.text.slice(field.at, endOf(source.lines, field.line)).trim();
  const rest: string[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let line = field.line + 1; line < field.end; line++) {
    if (!isBlankLine(source.lines, line))
      least = Math.min(least, firstInk(source.lines, line) - startOf(source.lines, line));
  }
  for (let line = field.line + 1; line < field.end; line++)
    rest.push(lineText(source.lines, line).slice(least).trimEnd());
  return [first, ...rest].join('\n').trim();
}

/** The bullets among these lines that act, each without its mark. */
export function listItems(source: Source, range: { readonly from: number; readonly to: number }): readonly string[] {
  const items: string[] = [];
  for (let line = range.from; line < range.to; line++) {
    if (source.kinds[line] !== 'text') continue;
    const end = endOf(source.lines, line);
    const at = behindListMark(source.lines.text, startOf(source.lines, line));
    if (at !== undefined && at < end) items.push(source.lines.text.slice(at, end).trim());
  }
  return items;
}
