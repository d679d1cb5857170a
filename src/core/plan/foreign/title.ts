import { tickSpans } from '../read/code-spans.ts';
import type { Source } from '../read/fields.ts';
import { afterListMark, isRule } from '../read/line-forms.ts';
import { endOf, firstInk, indentOf, isBlankLine, lineText } from '../read/lines.ts';
import { isNamedLine } from './fields.ts';
import type { BoxItem } from './items.ts';

/** The first paragraph of a list item (R-DIA-4). */
export interface Title {
  /** Lines joined with one blank, without HTML comments. */
  readonly text: string;
  /** The line after its last one. */
  readonly end: number;
}

const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** Reads the whole first paragraph of an item, which may be wrapped over several lines. */
export function readTitle(source: Source, item: Pick<BoxItem, 'line' | 'indent' | 'text'>): Title {
  const { lines } = source;
  const parts = [lines.text.slice(item.text, endOf(lines, item.line))];
  let end = item.line + 1;
  while (end < lines.count && goesOn(source, end, item.indent)) parts.push(lineText(lines, end++));
  return { text: withoutComments(parts.map((part) => part.trim()).join(' ')), end };
}

function goesOn(source: Source, line: number, indent: number): boolean {
  const { lines, kinds } = source;
  if (isBlankLine(lines, line) || indentOf(lines, line) <= indent) return false;
  if (kinds[line] === 'span') return true;
  if (kinds[line] !== 'text' || isNamedLine(lines, line)) return false;
  const ink = firstInk(lines, line);
  const text = lines.text.slice(ink, endOf(lines, line));
  if (afterListMark(lines.text, ink) !== undefined || HEADING.test(text) || isRule(lines.text, ink, endOf(lines, line)))
    return false;
  return !/^(?:>|\||<!--|```|~~~)/.test(text);
}

/** HTML comments outside of code spans are no part of a title. */
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text.trim();
  const spans = tickSpans(text, 0, text.length);
  const isCode = (at: number): boolean =>
    spans.some((span) => span.kind === 'closed' && span.start < at && at < span.end);
  return text
    .replace(/[ \t]*(?<!\\)<!--[\s\S]*?(?:-->|$)/g, (comment, at: number) =>
      isCode(at + comment.indexOf('<')) ? comment : '',
    )
    .trim();
}
