import { type Items, readItems } from '../plan/foreign/items.ts';
import type { Source } from '../plan/read/fields.ts';
import { lineText, splitLines } from '../plan/read/lines.ts';
import { readVisibility } from '../plan/read/visibility.ts';

/** A section of a Markdown file: its heading and the lines below it, deeper sections included. */
export interface MarkdownSection {
  readonly title: string;
  /** Its heading's line, from 0. */
  readonly line: number;
  /** The line after its last one. */
  readonly end: number;
}

/** A Markdown file cut into lines, with its headings and boxes. */
export interface MarkdownFile {
  readonly source: Source;
  readonly items: Items;
}

export function readMarkdown(text: string): MarkdownFile {
  const lines = splitLines(text.replaceAll('\r\n', '\n'));
  const source: Source = { lines, kinds: readVisibility(lines).kinds };
  return { source, items: readItems(source, { boxes: 'one-mark' }) };
}

/** The sections of one level. */
export function sectionsAt({ source, items }: MarkdownFile, level: number): readonly MarkdownSection[] {
  return items.headings.flatMap((heading, index) => {
    if (heading.level !== level) return [];
    const next = items.headings.slice(index + 1).find((other) => other.level <= level);
    return [{ title: heading.text, line: heading.line, end: next?.line ?? source.lines.count }];
  });
}

/** The text of a section without its heading. */
export function bodyOf({ source: { lines } }: MarkdownFile, { line, end }: MarkdownSection): string {
  const body: string[] = [];
  for (let at = line + 1; at < end; at++) body.push(lineText(lines, at));
  return body.join('\n').trim();
}
