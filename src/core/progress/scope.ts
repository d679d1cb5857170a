import { oneLine } from '../text/sanitise.ts';
import { bulletItems, itemKey } from './items.ts';
import { scopeBounds } from './scope-bounds.ts';
import { appendToSection, findSection } from './sections.ts';

/** What a scope says of a spec, in the order it is written (R-SCOPE-1). */
const SCOPE_FIELDS = ['Target', 'Actions', 'Bounds', 'Deliverable', 'Complete when', 'Escalate when'] as const;

type ScopeField = (typeof SCOPE_FIELDS)[number];

/** A scope as people are shown it, a line for each field. */
export interface ShownScope {
  readonly lines: readonly string[];
  /** A person wrote it: what research drafts is not used. */
  readonly isKept?: true;
}

/** Makes a hash of a text: the first characters tell one scope from another. */
export type HashOf = (text: string) => string;

const SECTION = 'Scope';
const HASH_CHARS = 12;
const LINE_CHARS_MAX = 600;
const SHOWN_LINES_MAX = 12;
/** Says that the section is as research drafted it, by the hash of its other lines: a person's edit makes it the person's. */
const DRAFTED = /^[-*+][ \t]+Drafted with: research \(content ([0-9a-f]{12})\)$/;
const FIELD = /^[*_]{0,2}([A-Za-z]+(?: [A-Za-z]+)?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(.*)$/;

/** The fields that the section Scope of a text fills in; `undefined` without the section. */
function scopeIn(text: string): ReadonlyMap<ScopeField, string> | undefined {
  const section = findSection(text, SECTION);
  if (section === undefined) return undefined;
  const said = bulletItems(text.slice(section.bodyStart, section.end)).flatMap((item) => {
    const [, name = '', words = ''] = FIELD.exec(itemKey(item)) ?? [];
    const field = SCOPE_FIELDS.find((one) => one.toLowerCase() === name.toLowerCase());
    return field === undefined || words === '' ? [] : [[field, oneLine(words, LINE_CHARS_MAX)] as const];
  });
  const known = new Map(said);
  return new Map(SCOPE_FIELDS.flatMap((field) => (known.has(field) ? [[field, known.get(field) ?? '']] : [])));
}

/** What a drafted text lacks of a scope: the whole section, fields of it, or a path in Bounds; `undefined` where it lacks nothing. */
export function scopeLacks(
  text: string,
): { readonly section: true } | { readonly fields: readonly ScopeField[] } | { readonly path: true } | undefined {
  const scope = scopeIn(text);
  if (scope === undefined) return { section: true };
  const fields = SCOPE_FIELDS.filter((field) => !scope.has(field));
  if (fields.length > 0) return { fields };
  return scopeBounds(text) === undefined ? { path: true } : undefined;
}

/** What the section Scope of a progress file says, line by line, as far as it says anything. */
export function scopeLines(progress: string): readonly string[] {
  return linesOf(progress)
    .filter((line) => !DRAFTED.test(line))
    .map((line) => oneLine(line, LINE_CHARS_MAX));
}

/** Whether a person wrote the scope of a progress file, or changed the one that research drafted. */
export function isPersonsScope(progress: string, hashOf: HashOf): boolean {
  const lines = linesOf(progress);
  const drafted = lines.flatMap((line) => DRAFTED.exec(line)?.[1] ?? [])[0];
  const rest = lines.filter((line) => !DRAFTED.test(line));
  return rest.length > 0 && drafted !== hashOf(rest.join('\n')).slice(0, HASH_CHARS);
}

/**
 * The progress file with the scope that research drafts, in place of one drafted before; done again it changes nothing. A scope
 * that a person wrote or changed stays, and so does a file for which nothing is drafted (R-SCOPE-1).
 */
export function withDraftedScope(progress: string, research: string, hashOf: HashOf): string {
  const lines = draftedLines(research);
  if (lines.length === 0 || isPersonsScope(progress, hashOf)) return progress;
  const hash = hashOf(lines.join('\n')).slice(0, HASH_CHARS);
  const written = [...lines, `- Drafted with: research (content ${hash})`];
  if (linesOf(progress).join('\n') === written.join('\n')) return progress;
  return appendToSection(withEmptyScope(progress), SECTION, written);
}

/** The scope that holds once research is recorded as it is: the drafted one, or that of a person. */
export function shownScope(progress: string, research: string, hashOf: HashOf): ShownScope | undefined {
  const isKept = isPersonsScope(progress, hashOf);
  const lines = isKept ? scopeLines(progress) : draftedLines(research);
  if (lines.length === 0) return undefined;
  return { lines: lines.slice(0, SHOWN_LINES_MAX), ...(isKept && { isKept }) };
}

/** A scope with what it means, for people who decide about the document. */
export function scopeText({ lines, isKept }: ShownScope): readonly string[] {
  const title = isKept
    ? 'Scope, kept as a person wrote it in the progress file:'
    : 'Scope, approved with the research:';
  return [title, ...lines.map((line) => `  ${line.replaceAll('**', '')}`)];
}

function draftedLines(research: string): readonly string[] {
  return [...(scopeIn(research) ?? [])].map(([field, words]) => `- **${field}**: ${words}`);
}

/** The lines of the section that are not empty. */
function linesOf(progress: string): readonly string[] {
  const section = findSection(progress, SECTION);
  if (section === undefined) return [];
  const lines = progress.slice(section.bodyStart, section.end).split(/\r?\n/);
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}

function withEmptyScope(progress: string): string {
  const section = findSection(progress, SECTION);
  if (section === undefined) return progress;
  const rest = progress.slice(section.end);
  return `${progress.slice(0, section.bodyStart)}${rest === '' ? '' : `\n${rest}`}`;
}
