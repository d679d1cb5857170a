import { asShown } from '../text/sanitise.ts';

/**
 * What a line of an agent's answer is. `code` is a fence or indented code, `span` lies inside a code span or comment
 * that began on an earlier line, `unclosed` is after a fence, comment or quotation that never ends: it can not be
 * told whether the agent speaks there or shows something.
 */
export type AnswerLineKind = 'prose' | 'code' | 'quote' | 'comment' | 'span' | 'unclosed';

/** One line of an answer, without escape sequences and line end. */
export interface AnswerLine {
  readonly text: string;
  readonly kind: AnswerLineKind;
}

/** A stretch of a passage, `[start, end)`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** List marks, as many as there are, with the blanks before and after them. */
export const LIST_MARKS = /^[ \t]*(?:(?:[-*+•●]|\d{1,9}[.)])[ \t]+)*/;

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const HTML_BLOCK = /^<(pre|blockquote|code)\b/i;
const COLUMNS_PER_TAB = 4;
/** From this column on, counted from where text may begin, a line is indented code. */
const CODE_INDENT = 4;

interface OpenBlock {
  readonly kind: 'code' | 'quote' | 'comment';
  readonly ends: (line: string) => boolean;
}

/**
 * Splits an agent's final answer into lines and says of each whether the agent speaks there (R-DEL-4). Follows
 * CommonMark, but in doubt takes a line for code: text that only shows something must never count as said.
 */
export function answerLines(answer: string): readonly AnswerLine[] {
  const texts = asShown(answer).split('\n');
  return markSpans(texts, blockKinds(texts)).map((kind, at) => ({ text: texts[at] ?? '', kind }));
}

function blockKinds(texts: readonly string[]): AnswerLineKind[] {
  const kinds: AnswerLineKind[] = [];
  let open: OpenBlock | undefined;
  let openedAt = 0;
  let itemColumn: number | undefined;
  texts.forEach((text, at) => {
    if (open !== undefined) {
      kinds.push(open.kind);
      if (open.ends(text)) open = undefined;
      return;
    }
    open = openedBlock(text);
    openedAt = at;
    kinds.push(open?.kind ?? plainKind(text, itemColumn));
    if (open?.kind !== 'code' && open?.ends(text)) open = undefined;
    itemColumn = columnOfItem(text, itemColumn);
  });
  return open === undefined ? kinds : kinds.fill('unclosed', openedAt + 1);
}

function openedBlock(text: string): OpenBlock | undefined {
  const marks = LIST_MARKS.exec(text)?.[0] ?? '';
  const rest = text.slice(marks.length);
  const fence = FENCE.exec(rest)?.[1];
  if (fence !== undefined) return { kind: 'code', ends: closesFence(fence, columns(marks)) };
  if (rest.startsWith('<!--')) return { kind: 'comment', ends: (line) => line.includes('-->') };
  const tag = HTML_BLOCK.exec(rest)?.[1]?.toLowerCase();
  if (tag === undefined) return undefined;
  return { kind: 'quote', ends: (line) => line.toLowerCase().includes(`</${tag}>`) };
}

function closesFence(fence: string, column: number): (line: string) => boolean {
  return (line) => {
    const bare = line.trim();
    if (bare.length < fence.length || bare !== fence.charAt(0).repeat(bare.length)) return false;
    return columns(indentOf(line)) < column + CODE_INDENT;
  };
}

function plainKind(text: string, itemColumn: number | undefined): AnswerLineKind {
  if (text.trim() === '') return 'prose';
  if (columns(indentOf(text)) >= (itemColumn ?? 0) + CODE_INDENT) return 'code';
  return text.slice(LIST_MARKS.exec(text)?.[0].length).startsWith('>') ? 'quote' : 'prose';
}

/** The column at which the text of the innermost list item begins, for the lines that follow. */
function columnOfItem(text: string, before: number | undefined): number | undefined {
  if (text.trim() === '') return before;
  const indent = indentOf(text);
  const marks = LIST_MARKS.exec(text)?.[0] ?? '';
  if (marks.length > indent.length && columns(indent) < (before ?? 0) + CODE_INDENT) return columns(marks);
  return indent === '' ? undefined : before;
}

function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}

function columns(lead: string): number {
  let column = 0;
  for (const char of lead) column += char === '\t' ? COLUMNS_PER_TAB - (column % COLUMNS_PER_TAB) : 1;
  return column;
}

/** Marks the lines that begin inside an inline span of an earlier line of their paragraph. */
function markSpans(texts: readonly string[], kinds: AnswerLineKind[]): AnswerLineKind[] {
  for (let from = 0; from < texts.length; from++) {
    let to = from;
    while (to < texts.length && kinds[to] === 'prose' && texts[to]?.trim() !== '') to++;
    if (to - from > 1) for (const line of linesInSpans(texts.slice(from, to))) kinds[from + line] = 'span';
    from = to;
  }
  return kinds;
}

function linesInSpans(paragraph: readonly string[]): readonly number[] {
  const spans = inlineSpans(paragraph.join('\n'));
  const inside: number[] = [];
  let offset = 0;
  let next = 0;
  paragraph.forEach((text, line) => {
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= offset) next++;
    if ((spans[next]?.start ?? Number.POSITIVE_INFINITY) < offset) inside.push(line);
    offset += text.length + 1;
  });
  return inside;
}

/** The code spans and comments inside a passage, in order, their marks included. Takes linear time. */
export function inlineSpans(passage: string): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  const closers = runsByLength(passage);
  const tokens = /\\[\s\S]|`+|<!--/g;
  for (let token = tokens.exec(passage); token !== null; token = tokens.exec(passage)) {
    const end = token[0].startsWith('\\') ? undefined : closers(token[0], tokens.lastIndex);
    if (end === undefined) continue;
    spans.push({ start: token.index, end });
    tokens.lastIndex = end;
  }
  return spans;
}

/** Finds where the span that a token opens ends. Asked with growing offsets only, so that no run is looked at twice. */
function runsByLength(passage: string): (token: string, from: number) => number | undefined {
  const runs = new Map<number, number[]>();
  for (const run of passage.matchAll(/`+/g)) {
    const ends = runs.get(run[0].length) ?? [];
    ends.push(run.index + run[0].length);
    runs.set(run[0].length, ends);
  }
  for (const ends of runs.values()) ends.reverse();
  const lastComment = passage.lastIndexOf('-->');
  return (token, from) => {
    if (token === '<!--') return lastComment < from ? undefined : passage.indexOf('-->', from) + '-->'.length;
    const ends = runs.get(token.length) ?? [];
    while ((ends.at(-1) ?? Number.POSITIVE_INFINITY) <= from) ends.pop();
    return ends.at(-1);
  };
}
