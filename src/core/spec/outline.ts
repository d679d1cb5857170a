import { type Head, readHead } from './head.ts';
import { behindListMark, isRule } from './line-forms.ts';
import type { LineKind } from './line-kind.ts';
import { endOf, firstInk, indentOf, type Lines } from './lines.ts';
import type { BoxState } from './task.ts';

/** A heading that acts. */
export interface Heading {
  readonly line: number;
  /** 1 for `#` to 6. */
  readonly level: number;
  /** As written, without the number signs. */
  readonly text: string;
}

/** A list item with a box (rule 1). */
export interface Box {
  readonly line: number;
  /** Columns before the list mark. */
  readonly indent: number;
  readonly state: BoxState;
  /** Offset of the character inside the box. */
  readonly at: number;
  readonly head: Head;
  /** Kiro's star behind the box or the id. */
  readonly optional: boolean;
  /** Index of the box it is nested in. */
  readonly parent: number | undefined;
  /** Index of the heading above it. */
  readonly section: number | undefined;
  /** Whether text stands between it and the next box, headings and rules aside. */
  hasBody: boolean;
}

/** Headings and boxes of a file, in file order. */
export interface Outline {
  readonly headings: readonly Heading[];
  readonly boxes: readonly Box[];
}

interface Scan {
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
const BOX = /(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~-])\](\\?\*)?[ \t]+(?=[^ \t\r])/y;
const DEEPEST_HEADING = 3;

/** Finds the headings and boxes among the lines that act. */
export function readOutline(lines: Lines, kinds: readonly LineKind[]): Outline {
  const scan: Scan = { headings: [], boxes: [], open: [], afterBlank: true };
  for (let line = 0; line < lines.count; line++) {
    if (kinds[line] === 'text') readLine(scan, lines, line);
    else if (kinds[line] !== 'wrapper') noteBody(scan);
  }
  return { headings: scan.headings, boxes: scan.boxes };
}

function readLine(scan: Scan, lines: Lines, line: number): void {
  const ink = firstInk(lines, line);
  const end = endOf(lines, line);
  if (ink === end) {
    scan.afterBlank = true;
    return;
  }
  const indent = indentOf(lines, line);
  if (addHeading(scan, lines, { line, ink, end, indent }) || addBox(scan, lines, { line, ink, end, indent })) {
    scan.afterBlank = false;
    return;
  }
  const isItem = behindListMark(lines.text, ink) !== undefined;
  if (isItem || scan.afterBlank) leaveDeeper(scan, indent);
  if (!isRule(lines.text.slice(ink, end).trimEnd())) noteBody(scan);
  scan.afterBlank = false;
}

interface LinePlace {
  readonly line: number;
  readonly ink: number;
  readonly end: number;
  readonly indent: number;
}

function addHeading(scan: Scan, lines: Lines, at: LinePlace): boolean {
  if (at.indent > DEEPEST_HEADING || lines.text.charCodeAt(at.ink) !== 35) return false;
  HEADING.lastIndex = at.ink;
  const found = HEADING.exec(lines.text);
  const marks = found?.[1];
  if (found === null || marks === undefined || at.ink + marks.length > at.end) return false;
  const text = withoutClosingMarks(lines.text.slice(at.ink + marks.length, at.end).trim());
  scan.headings.push({ line: at.line, level: marks.length, text });
  scan.open.length = 0;
  return true;
}

/** `## Title ##` is written `Title`. */
function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? '')) ? text.slice(0, end).trimEnd() : text;
}

function addBox(scan: Scan, lines: Lines, at: LinePlace): boolean {
  BOX.lastIndex = at.ink;
  const found = BOX.exec(lines.text);
  if (found === null || at.ink + found[0].length >= at.end) return false;
  leaveDeeper(scan, at.indent - STEP + 1);
  const mark = found[0].indexOf('[');
  const head = readHead(lines.text.slice(at.ink + found[0].length, at.end));
  scan.boxes.push({
    line: at.line,
    indent: at.indent,
    state: stateOf(found[1] ?? ' '),
    at: at.ink + mark + 1,
    head,
    optional: found[2] !== undefined || head.starred,
    parent: scan.open.at(-1),
    section: scan.headings.length === 0 ? undefined : scan.headings.length - 1,
    hasBody: false,
  });
  scan.open.push(scan.boxes.length - 1);
  return true;
}

/** Forgets the boxes that stand at this column or further right. */
function leaveDeeper(scan: Scan, indent: number): void {
  for (;;) {
    const last = scan.boxes[scan.open.at(-1) ?? -1];
    if (last === undefined || last.indent < indent) return;
    scan.open.pop();
  }
}

function noteBody(scan: Scan): void {
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
