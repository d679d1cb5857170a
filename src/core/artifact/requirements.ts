import type { ArtifactText } from './artifact-text.ts';
import { expand, type IdIndex, indexIds } from './expand.ts';
import { type ArtifactIds, type IdMention, type LeadingId, mentionsIn, readIds } from './ids.ts';
import { type ArtifactSection, outlineOf } from './outline.ts';

/** An id that the requirements define, with what is written of it. */
export interface DefinedId extends LeadingId {
  /** Its text: the line, and what is below it up to the next definition or heading. */
  readonly block: string;
  /** For a table row: its cells by the heading of their column, in lower case. */
  readonly cells: ReadonlyMap<string, string>;
}

/** What an artifact says of requirements (R-PLAN-5). */
export interface Requirements {
  readonly artifact: ArtifactText;
  readonly sections: readonly ArtifactSection[];
  /** Each id once, where it is defined first; retired ones too. */
  readonly defined: ReadonlyMap<string, DefinedId>;
  /** Definitions of an id that is defined before in the same section. */
  readonly repeated: readonly (readonly [again: DefinedId, first: DefinedId])[];
  /** All places that name an id without defining it, in file order. */
  readonly mentions: readonly IdMention[];
  readonly index: IdIndex;
  /** The criteria of each story, by their number or by where they are, and those that each requirement names. */
  readonly criteria: ReadonlyMap<string, readonly string[]>;
  /** The stories of each criterion. */
  readonly stories: ReadonlyMap<string, readonly string[]>;
}

const BLOCK_LINES_MAX = 200;

/** Reads requirements: stories, criteria, functional and other requirements by their ids. */
export function readRequirements(artifact: ArtifactText): Requirements {
  const sections = outlineOf(artifact);
  const ids = readIds(artifact);
  const stops = stopsOf(artifact, ids, sections);
  const defined = new Map<string, DefinedId>();
  const repeated: (readonly [DefinedId, DefinedId])[] = [];
  const mentions: IdMention[] = [...ids.mentions];
  for (const leading of ids.leading) {
    const found = { ...leading, block: blockOf(artifact, leading, stops), cells: cellsOf(artifact, leading) };
    const first = defined.get(leading.id);
    if (first === undefined) defined.set(leading.id, found);
    else if (isAgain(first, found, sections)) repeated.push([found, first]);
    else mentions.push(leading);
  }
  mentions.sort((left, right) => left.line - right.line || left.column - right.column);
  const index = indexIds(defined.keys());
  const criteria = criteriaOf(defined, sections, index);
  return { artifact, sections, defined, repeated, mentions, index, criteria, stories: storiesOf(criteria) };
}

/** The ids that ask for something: those that are not retired, in file order. */
export function activeIds({ defined }: Pick<Requirements, 'defined'>): readonly DefinedId[] {
  return [...defined.values()].filter(({ isRetired }) => !isRetired);
}

function criteriaOf(
  defined: ReadonlyMap<string, DefinedId>,
  sections: readonly ArtifactSection[],
  index: IdIndex,
): ReadonlyMap<string, readonly string[]> {
  const criteria = [...defined.values()].filter(({ kind, isRetired }) => kind === 'AC' && !isRetired);
  const active = new Set(criteria.map(({ id }) => id));
  const byStory = new Map<string, string[]>();
  for (const { id } of criteria) {
    const story = id.replace(/^AC-/, 'US-').slice(0, Math.max(0, id.lastIndexOf('.')));
    byStory.set(story, [...(byStory.get(story) ?? []), id]);
  }
  return new Map(
    [...defined.values()].map((found) => {
      if (found.kind !== 'US') return [found.id, namedCriteria(found, index).filter((id) => active.has(id))];
      const section = sections.find(({ line }) => line === found.line);
      const inside = criteria.filter(({ line }) => section !== undefined && line > section.line && line <= section.end);
      return [found.id, [...new Set([...(byStory.get(found.id) ?? []), ...inside.map(({ id }) => id)])]];
    }),
  );
}

function namedCriteria({ kind, block, line }: DefinedId, index: IdIndex): readonly string[] {
  if (kind === 'AC') return [];
  const mentions = block.split('\n').flatMap((text) => mentionsIn(text, line));
  return [
    ...new Set(mentions.filter((mention) => mention.kind === 'AC').flatMap((mention) => expand(mention, index).ids)),
  ];
}

function storiesOf(criteria: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const stories = new Map<string, string[]>();
  for (const [story, ids] of criteria) {
    if (!story.startsWith('US-')) continue;
    for (const id of ids) stories.set(id, [...(stories.get(id) ?? []), story]);
  }
  return stories;
}

const PRIORITY = /\b(must|should|could|won't|high|medium|low|critical|p[0-4])\b/i;

/** The priority of a requirement, as it is written; `undefined` without one. */
export function priorityOf({ cells, block, rest }: DefinedId): string | undefined {
  const cell = [...cells].find(([name]) => /priorit|moscow/.test(name))?.[1];
  if (cell !== undefined && cell !== '') return cell.replace(/[*_`~]/g, '').trim();
  const said = /priority\W{1,8}(\w[\w']*)/i.exec(block)?.[1];
  const marked = /[([](must|should|could|high|medium|low|critical|p[0-4])[)\]]/i.exec(rest)?.[1];
  return said ?? marked ?? [...cells.values()].find((text) => text.length < 12 && PRIORITY.test(text));
}

/** Whether a requirement has to be met: Must, High or the like. */
export function isPressing(priority: string | undefined): boolean {
  return priority !== undefined && /^\W*(?:must|high|critical|p[01])\b/i.test(priority);
}

/** An id in words for a list: what its line says, without marks. */
export function titleOf({ rest, cells }: DefinedId): string {
  const [, second = ''] = [...cells.values()];
  const text = cells.size > 1 ? second : rest;
  return text
    .replace(/[*_`~]/g, '')
    .replace(/^[\s:.|)\]–—-]+/, '')
    .trim();
}

/** A second definition in the same section and of the same form; elsewhere it is a list that names the first one. */
function isAgain(first: DefinedId, again: DefinedId, sections: readonly ArtifactSection[]): boolean {
  if (first.form !== again.form) return false;
  return first.form === 'row' ? isInTable(first, again) : chapterAt(sections, first) === chapterAt(sections, again);
}

function isInTable(first: DefinedId, again: DefinedId): boolean {
  return [...first.cells.keys()].join('|') === [...again.cells.keys()].join('|');
}

function chapterAt(sections: readonly ArtifactSection[], { line }: IdMention): number | undefined {
  return sections.findLast((section) => section.level === 2 && section.line <= line && line <= section.end)?.line;
}

/** Lines at which the text of a definition ends at the latest. */
function stopsOf(
  { lines }: ArtifactText,
  { leading }: ArtifactIds,
  sections: readonly ArtifactSection[],
): ReadonlySet<number> {
  const headings = sections.map(({ line }) => line);
  return new Set([...leading.map(({ line }) => line), ...headings, lines.length + 1]);
}

function blockOf({ lines }: ArtifactText, { line, form }: LeadingId, stops: ReadonlySet<number>): string {
  if (form === 'row') return lines[line - 1] ?? '';
  let end = line + 1;
  while (!stops.has(end) && end - line < BLOCK_LINES_MAX) end++;
  return lines.slice(line - 1, end - 1).join('\n');
}

/** The cells of a row by the headings of its table, which are above it, above a line of dashes. */
function cellsOf({ lines }: ArtifactText, { line, form }: LeadingId): ReadonlyMap<string, string> {
  if (form !== 'row') return new Map();
  let top = line - 1;
  while (top > 0 && isRow(lines[top - 1])) top--;
  const hasHead = top + 1 < line - 1 && /^[\s|:-]+$/.test(lines[top + 1] ?? '');
  const names = hasHead ? splitRow(lines[top] ?? '') : [];
  const cells = splitRow(lines[line - 1] ?? '');
  return new Map(
    cells.map((cell, at) => [names[at]?.toLowerCase().replace(/[*_`]/g, '').trim() || `column ${at + 1}`, cell]),
  );
}

function isRow(line: string | undefined): boolean {
  return line?.trimStart().startsWith('|') === true;
}

/** The cells of a table row; a `|` after a backslash is part of a cell. */
export function splitRow(row: string): readonly string[] {
  const cells = row.trim().split(/(?<!\\)\|/);
  return cells.slice(1, row.trimEnd().endsWith('|') ? -1 : undefined).map((cell) => cell.trim());
}
