import { oneLine } from '../text/sanitise.ts';
import { appendInto, endOfWords, findSection, lineEndAt, type Section } from './sections.ts';

/** A task that was completed, as the progress file lists it. */
export interface CompletedTask {
  /** The id of the task, unique in its plan. */
  readonly id: string;
  readonly title: string;
  /** The short hash of its commit, once that is known. */
  readonly hash?: string | undefined;
}

const TITLE_CHARS_MAX = 300;
/** What is before the id in an entry of any author. */
const ENTRY_LEAD = /^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:Task[ \t]+)?[*_`]*$/;
const ENTRY_LEAD_CHARS_MAX = 40;
const ID_END = /^[*_`]*[:.)]?(?:\s|$)/;
const HASH_END = /[ \t]-[ \t]+[`(]?[0-9a-f]{7,40}[`)]?$/;

/**
 * Lists a completed task in `.progress.md` (R-ADV-1): `- [x] <id> <title> - <hash>` at the end of *Completed Tasks*,
 * which is made when missing. An entry of the same id is the answer already: it gets the hash if it has none, and loses the
 * hash of an earlier record when the task is done again. `text` is `undefined` for a file that does not exist.
 */
export function addCompleted(text: string | undefined, task: CompletedTask): string {
  const before = text ?? '';
  const section = findSection(before, 'Completed Tasks');
  const entry = entryAt(before, section, task.id);
  if (entry === undefined) return appendInto(before, { name: 'Completed Tasks', section, lines: [entryOf(task)] });
  return task.hash === undefined ? withoutHash(before, entry) : withHash(before, entry, task.hash);
}

/** Adds the hash to the entry of a task, if there is an entry and it has none (R-ADV-1). */
export function fillHash(text: string, task: { readonly id: string; readonly hash: string }): string {
  const entry = entryAt(text, findSection(text, 'Completed Tasks'), task.id);
  return entry === undefined ? text : withHash(text, entry, task.hash);
}

/** The short hashes that *Completed Tasks* gives to tasks. By task id. */
export function hashesIn(text: string): ReadonlyMap<string, string> {
  const entries = text.matchAll(/^- \[x\] (\S+) .* - ([0-9a-f]{7,40})[ \t]*\r?$/gm);
  return new Map([...entries].map(([, id = '', hash = '']) => [id, hash]));
}

/** Whether *Completed Tasks* lists the task. */
export function hasEntry(text: string, id: string): boolean {
  return entryAt(text, findSection(text, 'Completed Tasks'), id) !== undefined;
}

function withHash(text: string, entry: number, hash: string): string {
  const end = endOfWords(text, entry, lineEndAt(text, entry));
  return HASH_END.test(text.slice(entry, end)) ? text : `${text.slice(0, end)} - ${hash}${text.slice(end)}`;
}

function withoutHash(text: string, entry: number): string {
  const end = endOfWords(text, entry, lineEndAt(text, entry));
  const line = text.slice(entry, end);
  return text.slice(0, entry) + line.replace(HASH_END, '') + text.slice(end);
}

/** The entry of a task as a line. */
function entryOf({ id, title, hash }: CompletedTask): string {
  const words = oneLine(title, TITLE_CHARS_MAX);
  // A title that ends like an entry with a hash must not be taken for one.
  const safe = HASH_END.test(` ${words}`) ? words.replace(/-([ \t]+\S+)$/, '–$1') : words;
  return `- [x] ${id} ${safe}`.trimEnd() + (hash === undefined ? '' : ` - ${hash}`);
}

/** The offset of the line that lists the task in the section. Ids compare exactly: `1.1` is not `1.10`. */
function entryAt(text: string, section: Section | undefined, id: string): number | undefined {
  if (section === undefined) return undefined;
  const body = text.slice(section.bodyStart, section.end);
  for (let at = body.indexOf(id); at !== -1; at = body.indexOf(id, at + 1)) {
    const lead = body.slice(Math.max(0, at - ENTRY_LEAD_CHARS_MAX), at);
    const ownLine = lead.slice(lead.lastIndexOf('\n') + 1);
    const after = body.slice(at + id.length, at + id.length + ENTRY_LEAD_CHARS_MAX);
    if (ID_END.test(after) && ENTRY_LEAD.test(ownLine)) return section.bodyStart + at - ownLine.length;
  }
  return undefined;
}
