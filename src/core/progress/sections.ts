/** The sections a progress file has, in the order in which missing ones are put in (R-FILE-3, R-REC-7). */
export const SECTION_ORDER = [
  'Original Goal',
  'Planning',
  'Scope',
  'Approvals',
  'Changes Requested',
  'Interview Responses',
  'Reality Check (BEFORE)',
  'Reality Check (AFTER)',
  'Completed Tasks',
  'Fix Task History',
  'Learnings',
  'Reviews',
  'Review Suggestions',
] as const;

/** A section of a progress file that the coordinator writes to. */
export type ProgressSection = (typeof SECTION_ORDER)[number];

/** Where a section is; UTF-16 offsets. */
export interface Section {
  /** Of the heading's first character. */
  readonly start: number;
  /** Of what is below the heading. */
  readonly bodyStart: number;
  /** Of the next heading of the same level, or the end of the text. */
  readonly end: number;
}

const HEADING = '## ';
const BYTE_ORDER_MARK = '\ufeff';

/** The line end that the text uses, for text put in. */
function eolOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text.charAt(first - 1) === '\r' ? '\r\n' : '\n';
}

/**
 * Finds the first section with this name, in any case. A heading inside a closed code fence is none. Searches instead
 * of splitting into lines, as a progress file may hold thousands of entries and is edited after every task.
 */
export function findSection(text: string, name: string): Section | undefined {
  const isShown = fencedAt(text);
  for (let start = nextHeading(text, 0, isShown); start < text.length; ) {
    const bodyStart = lineEndAt(text, start);
    const end = nextHeading(text, bodyStart, isShown);
    if (headingName(text.slice(start, bodyStart)) === name.toLowerCase()) return { start, bodyStart, end };
    start = end;
  }
  return undefined;
}

/** What is below the heading of a section; empty without one. */
export function sectionBody(text: string, name: string): string {
  const section = findSection(text, name);
  return section === undefined ? '' : text.slice(section.bodyStart, section.end);
}

/**
 * Puts lines at the end of a section, after its last line that is not blank; a missing section is made, in its place of
 * `SECTION_ORDER`. Nothing else changes: line ends, byte order mark and a missing last line end stay.
 */
export function appendToSection(text: string, name: ProgressSection, lines: readonly string[]): string {
  return appendInto(text, { name, section: findSection(text, name), lines });
}

/** As `appendToSection`, for a caller who has looked for the section already. */
export function appendInto(
  text: string,
  { name, section, lines }: { name: ProgressSection; section: Section | undefined; lines: readonly string[] },
): string {
  const eol = eolOf(text);
  const added = lines.map((line) => line.replaceAll('\n', eol)).join(eol);
  if (section === undefined) return withNewSection(text, name, added);
  const at = endOfWords(text, section.bodyStart, section.end);
  const opened = at > section.bodyStart || text.charAt(at - 1) !== '\n';
  return opened ? splice(text, at, eol + added) : splice(text, at, added + eol);
}

function withNewSection(text: string, name: ProgressSection, added: string): string {
  const eol = eolOf(text);
  const later = SECTION_ORDER.slice(SECTION_ORDER.indexOf(name) + 1);
  const starts = later.map((other) => findSection(text, other)?.start ?? text.length);
  const at = Math.min(...starts);
  if (at < text.length) return splice(text, at, `${HEADING}${name}${eol}${added}${eol}${eol}`);
  if (text.trim() === '') return `${text}${HEADING}${name}${eol}${added}${eol}`;
  return splice(text, endOfWords(text, 0, text.length), `${eol}${eol}${HEADING}${name}${eol}${added}`);
}

function splice(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

/** The offset of the next heading from a line start on, or the length of the text. */
function nextHeading(text: string, from: number, isShown: (offset: number) => boolean): number {
  const lineStart = from === 0 && text.startsWith(BYTE_ORDER_MARK) ? 1 : from;
  if (text.startsWith(HEADING, lineStart) && !isShown(lineStart)) return lineStart;
  for (let at = text.indexOf(`\n${HEADING}`, lineStart); at !== -1; at = text.indexOf(`\n${HEADING}`, at + 1)) {
    if (!isShown(at + 1)) return at + 1;
  }
  return text.length;
}

/** Tells of an offset whether it lies in a closed code fence; one that is never closed hides nothing. */
function fencedAt(text: string): (offset: number) => boolean {
  const ranges: { readonly from: number; readonly to: number }[] = [];
  let open: { readonly mark: string; readonly from: number } | undefined;
  for (const { mark, at, rest } of fenceLines(text)) {
    if (open === undefined) open = { mark, from: at };
    else if (mark.startsWith(open.mark) && rest === '') {
      ranges.push({ from: open.from, to: at });
      open = undefined;
    }
  }
  return (offset) => ranges.some(({ from, to }) => from < offset && offset < to);
}

function fenceLines(text: string): readonly { readonly mark: string; readonly at: number; readonly rest: string }[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return [...text.matchAll(/`{3,}|~{3,}/g)].flatMap(({ 0: mark, index: at }) => {
    const lead = text.slice(text.lastIndexOf('\n', at) + 1, at);
    const rest = text.slice(at + mark.length, lineEndAt(text, at)).trim();
    return lead.trim() === '' ? [{ mark, at, rest }] : [];
  });
}

function headingName(line: string): string {
  return line
    .slice(HEADING.length)
    .replace(/[\s#:]+$/, '')
    .trim()
    .toLowerCase();
}

/** The offset after the line break of the line that holds `from`, or the end of the text. */
export function lineEndAt(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
}

/** The offset after the last character in `[from, to)` that is not white space, or `from`. */
export function endOfWords(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && /\s/.test(text.charAt(at - 1))) at--;
  return at;
}
