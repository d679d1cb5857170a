import type { ArtifactText } from './artifact-text.ts';

/** A part of an artifact below a heading. */
export interface ArtifactSection {
  /** As written, without the number signs. */
  readonly title: string;
  /** The form in which headings are compared: see `headingKey`. */
  readonly key: string;
  /** 2 to 4. */
  readonly level: number;
  /** Line of the heading, from 1. */
  readonly line: number;
  /** The last line of the section, the sections in it included. */
  readonly end: number;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const NUMBERING = /^[\s*_~`]*(?:\d{1,4}(?:\.\d{1,4}){0,4}[.):]?|[IVXivx]{1,6}[.)])[ \t]+(?=\S)/;

/** The sections of an artifact: headings of level 2 to 4 that act (R-PLAN-5). Those of level 1, 5 and 6 only end others. */
export function outlineOf({ lines }: Pick<ArtifactText, 'lines'>): readonly ArtifactSection[] {
  const headings = lines.flatMap((line, at) => {
    const [, marks, title = ''] = HEADING.exec(line) ?? [];
    return marks === undefined ? [] : [{ level: marks.length, line: at + 1, title: withoutClosing(title) }];
  });
  return headings.flatMap((heading, at) => {
    if (heading.level < 2 || heading.level > 4) return [];
    const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
    return [{ ...heading, key: headingKey(heading.title), end: (next?.line ?? lines.length + 1) - 1 }];
  });
}

/** A heading without case, numbering, emphasis and punctuation: `## 2. **Out-of-Scope**:` is `out of scope`. */
export function headingKey(title: string): string {
  return title
    .replace(NUMBERING, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The innermost section that holds a line; `undefined` above the first one. */
export function sectionAt(sections: readonly ArtifactSection[], line: number): ArtifactSection | undefined {
  return sections.findLast((section) => section.line <= line && line <= section.end);
}

function withoutClosing(title: string): string {
  const text = title.trimEnd();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  return end < text.length && (end === 0 || /\s/.test(text[end - 1] ?? '')) ? text.slice(0, end).trimEnd() : text;
}
