import type { BoxState } from '../data/task.ts';
import { type Head, readHead } from './head.ts';
import { afterListMark, isRule } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, firstInk, indentOf, type Lines } from './lines.ts';

/** A heading that acts. */
export interface Heading {
  readonly line: number;
  /** 1 for `#` to 6. */
  readonly level: number;
  /** As written, without the number signs. */
  readonly text: string;
}

/** A list item with a box (R-READ-1). */
export interface Box {
  readonly line: number;
  /** Columns before the list mark. */
  readonly indent: number;
  readonly state: BoxState;
  /** Offset of the character inside the box. */
  readonly at: number;
  readonly head: Head;
  /** Kiro's star after the box or the id. */
  readonly optional: boolean;
  /** Index of the box it is nested in. */
  readonly parent: number | undefined;
  /** Index of the heading above it. */
  readonly section: number | undefined;
  /** Whether text is between it and the next box, headings and rules aside. */
  hasBody: boolean;
}

/** Headings and boxes of a file, in file order. */
export interface Outline {
  readonly headings: readonly Heading[];
  readonly boxes: readonly Box[];
}

interface OutlineScan {
  readonly headings: Heading[];
  readonly boxes: Box[];
  /** Indices of the boxes that the next line may be nested in. */
  readonly open: number[];
  /** The line above is blank. */
  afterBlank: boolean;
}

/** How much further right a nested item begins. */
const STEP = 2;
const HEADING = /(#{1,6})(?:[ \t]+|$)/y;
const BOX = /\[[ xX~-]\](?:\\?\*)?[ \t]+(?=[^ \t\r])/y;
const BOX_LENGTH = 3;
/** How Kiro's star begins; a Markdown formatter writes a backslash before it. */
const STAR_FIRST = '*\\';
const DEEPEST_HEADING = 3;
const NUMBER_SIGN = 35;
const SQUARE_BRACKET = 91;

/** Finds the headings and boxes among the lines that act. */
export function readOutline(lines: Lines, kinds: readonly LineKind[]): Outline {
  const scan: OutlineScan = { headings: [], boxes: [], open: [], afterBlank: true };
  for (let line = 0; line < lines.count; line++) {
    if (kinds[line] === 'text') readLine(scan, lines, line);
    else if (kinds[line] !== 'wrapper') noteBody(scan);
  }
  return { headings: scan.headings, boxes: scan.boxes };
}

function readLine(scan: OutlineScan, lines: Lines, line: number): void {
  const ink = firstInk(lines, line);
  const end = endOf(lines, line);
  if (ink === end) {
    scan.afterBlank = true;
    return;
  }
  const item = afterListMark(lines.text, ink);
  const begins = item === undefined ? addHeading(scan, lines, line) : addBox(scan, lines, { line, item });
  if (!begins) {
    if (item !== undefined || scan.afterBlank) leaveDeeper(scan, indentOf(lines, line));
    if (!isRule(lines.text, ink, end)) noteBody(scan);
  }
  scan.afterBlank = false;
}

function addHeading(scan: OutlineScan, lines: Lines, line: number): boolean {
  const ink = firstInk(lines, line);
  const end = endOf(lines, line);
  if (lines.text.charCodeAt(ink) !== NUMBER_SIGN || indentOf(lines, line) > DEEPEST_HEADING) return false;
  HEADING.lastIndex = ink;
  const marks = HEADING.exec(lines.text)?.[1];
  if (marks === undefined || ink + marks.length > end) return false;
  const text = withoutClosingMarks(lines.text.slice(ink + marks.length, end).trim());
  scan.headings.push({ line, level: marks.length, text });
  scan.open.length = 0;
  return true;
}

/** `## Title ##` is written `Title`. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? '')) ? text.slice(0, end).trimEnd() : text;
}

/** Adds the box that the list item on this line may begin with; `item` is the offset after the list mark. */
function addBox(scan: OutlineScan, lines: Lines, at: { readonly line: number; readonly item: number }): boolean {
  const { text } = lines;
  const { line, item } = at;
  const end = endOf(lines, line);
  BOX.lastIndex = item;
  if (text.charCodeAt(item) !== SQUARE_BRACKET || !BOX.test(text) || BOX.lastIndex >= end) return false;
  const head = readHead(text.slice(BOX.lastIndex, end));
  const indent = indentOf(lines, line);
  leaveDeeper(scan, indent - STEP + 1);
  scan.boxes.push({
    line,
    indent,
    state: stateOf(text.charAt(item + 1)),
    at: item + 1,
    head,
    optional: STAR_FIRST.includes(text.charAt(item + BOX_LENGTH)) || head.starred,
    parent: scan.open.at(-1),
    section: scan.headings.length === 0 ? undefined : scan.headings.length - 1,
    hasBody: false,
  });
  scan.open.push(scan.boxes.length - 1);
  return true;
}

/** Forgets the boxes that are at this column or further right. */
function leaveDeeper(scan: OutlineScan, indent: number): void {
  for (;;) {
    const last = scan.boxes[scan.open.at(-1) ?? -1];
    if (last === undefined || last.indent < indent) return;
    scan.open.pop();
  }
}

function noteBody(scan: OutlineScan): void {
  const last = scan.boxes.at(-1);
  if (last !== undefined) last.hasBody = true;
}

/** What the character inside a box says. */
export function stateOf(mark: string): BoxState {
  switch (mark) {
    case 'x':
    case 'X':
      return 'done';
    case '-':
      return 'in-progress';
    case '~':
      return 'blocked';
    default:
      return 'open';
  }
}
