import { readItems } from '../foreign/items.ts';
import { readTitle } from '../foreign/title.ts';
import { readFields, type Source } from '../read/fields.ts';
import { type Head, readHead } from '../read/head.ts';
import { lineText, splitLines } from '../read/lines.ts';
import { findHeadingTasks } from '../read/roles.ts';
import { readVisibility } from '../read/visibility.ts';

/** What a box, or a heading that is a task, says about the dialect of its file. */
export interface Entry {
  /** `T` for a T-number, `number` for one with digits first, `other`; `undefined` without an id. */
  readonly id: 'T' | 'number' | 'other' | undefined;
  /** How many of the fields Do, Files, Done when, Verify and Commit it has. */
  readonly fields: number;
  /** It has a marker that only specloop's own dialect knows. */
  readonly hasOwnMarker: boolean;
  readonly hasRequirements: boolean;
  /** A star, `(P)`, a boundary or a dependency, as Kiro and cc-sdd write them. */
  readonly looksLikeKiro: boolean;
  /** Its number begins with that of the numbered section above, as OpenSpec writes it. */
  readonly isOfSection: boolean;
}

const OWN_MARKER = /^(?:VERIFY|SEQUENTIAL|RED|GREEN|YELLOW)/;
const T_NUMBER = /^T\d{3}/;
const NUMBERED_SECTION = /^(\d+)\./;
const OF_KIRO = /^[ \t]*(?:[-*+][ \t]+)?_(?:boundary|depends)[ \t]?[:：]/i;
const REQUIREMENTS = /^[ \t]*(?:[-*+][ \t]+)?_requirements[ \t]?[:：]/i;

/** Reads what the guess of a dialect rests on, without knowing the dialect (R-DIA-3). */
export function readEvidence(text: string): readonly Entry[] {
  const lines = splitLines(text);
  const source: Source = { lines, kinds: readVisibility(lines).kinds };
  const items = readItems(source, { boxes: 'one-mark' });
  const boxes = items.boxes.map((box) => {
    const title = readTitle(source, box).text;
    const byNumber = readHead(title, 'T-number');
    return { ...box, title, head: byNumber.id === undefined ? readHead(title) : byNumber };
  });
  const { headingTasks } = findHeadingTasks(source, { headings: items.headings, boxes });
  const owned = new Set(headingTasks.flatMap((task) => task.boxes));
  const starts = [
    ...boxes.flatMap(({ line, head, parent, starred, title }, index) =>
      owned.has(index) || (parent !== undefined && head.id === undefined) ? [] : [{ line, head, starred, title }],
    ),
    ...headingTasks.map(({ heading, head }) => ({
      ...{ line: items.headings[heading]?.line ?? 0, head },
      ...{ starred: head.starred, title: head.title },
    })),
  ].sort((left, right) => left.line - right.line);
  const sections = items.headings.filter(({ level, text: words }) => level === 2 && NUMBERED_SECTION.test(words));
  let section = -1;
  return starts.map((start, index) => {
    const end = starts[index + 1]?.line ?? lines.count;
    while ((sections[section + 1]?.line ?? Number.POSITIVE_INFINITY) < start.line) section++;
    const number = NUMBERED_SECTION.exec(sections[section]?.text ?? '')?.[1];
    return entryOf(source, { ...start, end, number });
  });
}

interface EntryStart {
  readonly line: number;
  readonly end: number;
  readonly head: Head;
  readonly starred: boolean;
  readonly title: string;
  readonly number: string | undefined;
}

function entryOf(source: Source, { line, end, head, starred, title, number }: EntryStart): Entry {
  const found = readFields(source, line + 1, end);
  const { id } = head;
  const body = linesOf(source, line + 1, end);
  return {
    id: kindOf(id),
    fields: [found.do, found.files, found.doneWhen, found.verify, found.commit].filter((field) => field).length,
    hasOwnMarker: head.markers.some((marker) => OWN_MARKER.test(marker)),
    hasRequirements: body.some((text) => REQUIREMENTS.test(text)),
    looksLikeKiro: starred || head.starred || /\(P\)/.test(title) || body.some((text) => OF_KIRO.test(text)),
    isOfSection: number !== undefined && (id?.startsWith(`${number}.`) ?? false),
  };
}

function kindOf(id: string | undefined): Entry['id'] {
  if (id === undefined) return undefined;
  if (T_NUMBER.test(id)) return 'T';
  return /^\d/.test(id) ? 'number' : 'other';
}

function linesOf({ lines, kinds }: Source, from: number, to: number): readonly string[] {
  const found: string[] = [];
  for (let line = from; line < to; line++) if (kinds[line] === 'text') found.push(lineText(lines, line));
  return found;
}
