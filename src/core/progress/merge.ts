import { sanitise } from '../text/sanitise.ts';
import { fillHash, hasEntry } from './completed.ts';
import { itemKey, sectionItems } from './items.ts';
import { appendToSection, findSection } from './sections.ts';

/** The progress file with what was merged into it, and what could not be, one sentence each. */
export interface MergedProgress {
  readonly text: string;
  readonly warnings: readonly string[];
}

/** `[x] 1.3 Title - abc1234`: the id, and the hash if there is one. */
const ENTRY =
  /^\[[xX]\][ \t]+[*_`]*((?:[A-Z]{1,4}\d+[A-Za-z]?|VF|\d+[a-zA-Z]?(?=\.))(?:\.\d+[a-zA-Z]?)*)[*_`]*[:.]?[ \t]/;
const HASH = /[ \t]-[ \t]+`?([0-9a-f]{7,40})`?$/;

/**
 * Merges the progress file of one task of a batch (R-PAR-4): the bullets of its *Completed Tasks* and *Learnings* go to
 * the same sections. A completed task is listed once, whatever its entries say; a learning once, however it is spaced.
 * A file that is missing, empty or has neither section is a warning; merging twice adds nothing twice.
 */
export function mergeTaskProgress(text: string | undefined, temp: string | undefined): MergedProgress {
  const before = text ?? '';
  const unusable = whyUnusable(temp);
  if (temp === undefined || unusable !== undefined) return { text: before, warnings: [unusable ?? MISSING] };
  const withEntries = sectionItems(temp, 'Completed Tasks').map(clean).reduce(addEntry, before);
  return { text: addLearnings(withEntries, sectionItems(temp, 'Learnings')), warnings: [] };
}

const MISSING = 'The progress file of the task is missing, so its notes could not be merged.';

function whyUnusable(temp: string | undefined): string | undefined {
  if (temp === undefined) return MISSING;
  if (temp.trim() === '') return 'The progress file of the task is empty, so there was nothing to merge.';
  if (findSection(temp, 'Completed Tasks') ?? findSection(temp, 'Learnings')) return undefined;
  return 'The progress file of the task has neither a "## Completed Tasks" nor a "## Learnings" section, so nothing was merged.';
}

function addEntry(text: string, entry: string): string {
  const id = ENTRY.exec(entry)?.[1];
  if (id === undefined || !hasEntry(text, id)) return appendNew(text, 'Completed Tasks', [entry]);
  const hash = HASH.exec(entry.split('\n', 1)[0] ?? '')?.[1];
  return hash === undefined ? text : fillHash(text, { id, hash });
}

/**
 * Adds the learnings that an agent wrote into the progress file of its own working tree (`theirs`), compared with the
 * file it started from (`base`), to the file as it is now (`ours`). What it changed or removed there is left alone.
 */
export function mergeLearnings(base: string | undefined, theirs: string | undefined, ours: string | undefined): string {
  const known = new Set(sectionItems(base, 'Learnings').map(itemKey));
  const added = sectionItems(theirs, 'Learnings').filter((item) => !known.has(itemKey(item)));
  return addLearnings(ours ?? '', added);
}

/** Adds learnings, each once. */
export function addLearnings(text: string, items: readonly string[]): string {
  return appendNew(text, 'Learnings', items.map(clean));
}

/** Adds the items that the section does not have yet, each once. */
function appendNew(text: string, name: 'Completed Tasks' | 'Learnings', items: readonly string[]): string {
  const known = new Set(sectionItems(text, name).map(itemKey));
  const added = items.filter((item) => {
    const key = itemKey(item);
    return key !== '' && !known.has(key) && known.add(key);
  });
  return added.length === 0
    ? text
    : appendToSection(
        text,
        name,
        added.map((item) => `- ${item}`),
      );
}

function clean(item: string): string {
  return sanitise(item).trim();
}
