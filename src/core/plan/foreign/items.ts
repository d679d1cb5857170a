import type { Source } from '../read/fields.ts';
import { afterListMark, isRule } from '../read/line-forms.ts';
import { endOf, firstInk, indentOf, lineText } from '../read/lines.ts';
import type { Heading } from '../read/outline.ts';
import type { DialectRules } from './rules.ts';

/** A list item with a box, before it is known what it is. */
export interface BoxItem {
  readonly line: number;
  /** Columns before the list mark. */
  readonly indent: number;
  /** The list mark, such as `-` or `1.`. */
  readonly bullet: string;
  /** Offset of what is inside the brackets; an empty box has nothing there. */
  readonly at: number;
  /** What is inside, without blanks; empty for an open box. */
  readonly mark: string;
  /** A star follows the box. */
  readonly starred: boolean;
  /** Offset of the text after the box. */
  readonly text: number;
  /** Index of the box it is nested in. */
  readonly parent: number | undefined;
  /** Index of the heading above it. */
  readonly section: number | undefined;
  /** Below a line at the left edge that announces criteria. */
  readonly isBelowCriteria: boolean;
}

/** Headings and boxes of a file, in file order. */
export interface Items {
  readonly headings: readonly Heading[];
  readonly boxes: readonly BoxItem[];
}

interface ItemScan {
  readonly source: Source;
  readonly form: RegExp;
  readonly headings: Heading[];
  readonly boxes: BoxItem[];
  /** Indices of the boxes that the next line may be nested in. */
  readonly open: number[];
  afterBlank: boolean;
  belowCriteria: boolean;
}

const STEP = 2;
const DEEPEST_HEADING = 3;
const HEADING = /^[ \t]*(#{1,6})(?:[ \t]+|$)(.*)$/;
const ONE_MARK = /\[([ xX~-]?)\](\\?\*)?[ \t]+(?=[^ \t\r])/y;
const ANY_MARK = /\[[ \t]*([^\]\s]?)[ \t]*\](?![([])(\\?\*)?[ \t]+(?=[^ \t\r])/uy;
const LIST_MARK = /[ \t]*([-*+]|\d{1,9}[.)])/y;
/** `**Name**`, `**Name:** text` or `Name:` alone on its line. */
const NAMED_LINE = /^(?:\*\*|__)([^*_]{1,80}?)[ \t]*[:：]?[ \t]*(?:\*\*|__)|^([^:：|]{1,80})[:：][ \t]*$/;
const CRITERIA =
  /^(?:acceptance criteria|acceptance tests|definition of done|dod|done when|done criteria|success criteria|success metrics|completion criteria|exit criteria|quality gates?|notes|legend|status legend|task status legend)(?![\p{L}\p{N}])/iu;
const CRITERIA_END = /(?:validation|review) checklist$/i;
/** A number, an emoji or emphasis may be before the words of a heading. */
const BEFORE_WORDS = /^(?:[^\p{L}\p{N}]+|\d+(?:\.\d+)*[.):]?[ \t]+)*/u;
const AFTER_WORDS = /[^\p{L}\p{N}]+$/u;

/** Finds the headings and boxes among the lines that act. */
export function readItems(source: Source, rules: Pick<DialectRules, 'boxes'>): Items {
  const scan: ItemScan = {
    source,
    form: rules.boxes === 'any-mark' ? ANY_MARK : ONE_MARK,
    headings: [],
    boxes: [],
    open: [],
    afterBlank: true,
    belowCriteria: false,
  };
  for (let line = 0; line < source.lines.count; line++) if (source.kinds[line] === 'text') readLine(scan, line);
  return { headings: scan.headings, boxes: scan.boxes };
}

function readLine(scan: ItemScan, line: number): void {
  const { lines } = scan.source;
  const ink = firstInk(lines, line);
  const end = endOf(lines, line);
  if (ink === end) {
    scan.afterBlank = true;
    return;
  }
  const indent = indentOf(lines, line);
  const item = afterListMark(lines.text, ink);
  if (item === undefined ? !addHeading(scan, line, indent) : !addBox(scan, { line, item, indent, ink })) {
    if (item !== undefined || scan.afterBlank || isRule(lines.text, ink, end)) leaveDeeper(scan, indent);
    if (item === undefined && indent === 0) noteName(scan, lineText(lines, line));
  }
  scan.afterBlank = false;
}

function addHeading(scan: ItemScan, line: number, indent: number): boolean {
  const found = indent > DEEPEST_HEADING ? null : HEADING.exec(lineText(scan.source.lines, line));
  if (found === null) return false;
  const text = (found[2] ?? '')
    .trim()
    .replace(/(?:^|[ \t]+)#+$/, '')
    .trim();
  scan.headings.push({ line, level: found[1]?.length ?? 1, text });
  scan.open.length = 0;
  scan.belowCriteria = false;
  return true;
}

function addBox(
  scan: ItemScan,
  at: { readonly line: number; readonly item: number; readonly indent: number; readonly ink: number },
): boolean {
  const { text } = scan.source.lines;
  scan.form.lastIndex = at.item;
  const found = scan.form.exec(text);
  if (found === null || scan.form.lastIndex >= endOf(scan.source.lines, at.line)) return false;
  leaveDeeper(scan, at.indent - STEP + 1);
  LIST_MARK.lastIndex = at.ink;
  scan.boxes.push({
    line: at.line,
    indent: at.indent,
    bullet: LIST_MARK.exec(text)?.[1] ?? '-',
    at: at.item + 1,
    mark: (found[1] ?? '').trim(),
    starred: found[2] !== undefined,
    text: scan.form.lastIndex,
    parent: scan.open.at(-1),
    section: scan.headings.length === 0 ? undefined : scan.headings.length - 1,
    isBelowCriteria: scan.belowCriteria,
  });
  scan.open.push(scan.boxes.length - 1);
  return true;
}

/** Forgets the boxes that are at this column or further right. */
function leaveDeeper(scan: ItemScan, indent: number): void {
  while ((scan.boxes[scan.open.at(-1) ?? -1]?.indent ?? -1) >= Math.max(indent, 0)) scan.open.pop();
}

function noteName(scan: ItemScan, text: string): void {
  const found = NAMED_LINE.exec(text);
  const name = found?.[1] ?? found?.[2] ?? /^([^:：|]{1,80})[:：]/.exec(text)?.[1];
  if (name === undefined) return;
  if (namesCriteria(name)) scan.belowCriteria = true;
  else if (found !== null) scan.belowCriteria = false;
}

/** Whether a heading, or a line such as `**Acceptance criteria:**`, announces criteria and no tasks. */
export function namesCriteria(text: string): boolean {
  const words = wordsOf(text);
  return CRITERIA.test(words) || CRITERIA_END.test(words);
}

/** A heading without the number, emoji and punctuation around its words. */
export function wordsOf(text: string): string {
  return text.replace(BEFORE_WORDS, '').replace(AFTER_WORDS, '');
}

/** For each heading, whether it or one above it in whose section it lies has a text of this kind. */
export function headingsBelow(headings: readonly Heading[], isKind: (text: string) => boolean): readonly boolean[] {
  const open: { readonly level: number; readonly isOf: boolean }[] = [];
  return headings.map(({ level, text }) => {
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const isOf = (open.at(-1)?.isOf ?? false) || isKind(text);
    open.push({ level, isOf });
    return isOf;
  });
}
