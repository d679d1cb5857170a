const LONGEST_SLUG = 40;
const NUMBER_ID = /^(?:T\d+[A-Za-z]?(?:\.\d+)*|VE?\d+(?:\.\d+)*|\d+[A-Za-z]?(?:\.\d+[A-Za-z]?)*)$/;

/** Gives out ids that are unique in one plan. */
export interface IdSource {
  /** An id made from a title, which no task of the plan has (R-READ-4, `hasOwnId: false`). */
  readonly make: (title: string) => string;
  /** The id itself, with `#2`, `#3` added if it is taken. */
  readonly keyOf: (id: string) => string;
}

/** Starts with the ids that are in the file. */
export function idSource(ownIds: Iterable<string>): IdSource {
  const taken = new Set(ownIds);
  const repeats = new Map<string, number>();
  const seen = new Map<string, number>();
  const make = (title: string): string => {
    const slug = slugOf(title);
    let id = slug;
    let count = repeats.get(slug) ?? 1;
    while (taken.has(id)) {
      count++;
      id = `${slug}-${count}`;
    }
    repeats.set(slug, count);
    taken.add(id);
    return id;
  };
  const keyOf = (id: string): string => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  };
  return { make, keyOf };
}

/** Whether an id was made from this title, and so says nothing that the title does not. */
export function isMadeFrom(id: string, title: string): boolean {
  const slug = slugOf(title);
  return id === slug || (id.startsWith(`${slug}-`) && /^\d+$/.test(id.slice(slug.length + 1)));
}

/** Lower-case words of the title joined by dashes, at most 40 characters, `task` if it has no word. */
function slugOf(title: string): string {
  const plain = title
    .slice(0, 4 * LONGEST_SLUG)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .normalize('NFC')
    .toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word : `${slug}-${word}`;
    if (longer.length > LONGEST_SLUG) break;
    slug = longer;
  }
  return slug || shorten(words[0] ?? '') || 'task';
}

/** Cuts between code points, not inside one. */
function shorten(word: string): string {
  return [...word].slice(0, LONGEST_SLUG / 2).join('');
}

/** Whether a text is an id as files write it, such as `2.1`, `3`, `T011` or `VE2.1`. */
export function isWrittenId(text: string): boolean {
  return NUMBER_ID.test(text);
}

/** How many dots an id has: `1.3.1` has two. */
export function dotsOf(id: string): number {
  return id.split('.').length - 1;
}
