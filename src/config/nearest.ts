/** More wrong letters than that are another word. */
const EDITS_MAX = 3;

/**
 * The candidate that was most likely meant, for "Did you mean": equal but for case and separators, or few letters away.
 * `undefined` if none is near.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word);
  let best: { readonly candidate: string; readonly edits: number } | undefined;
  for (const candidate of candidates) {
    const edits = distance(wanted, plain(candidate));
    const isNear = edits <= EDITS_MAX && edits <= Math.max(wanted.length, candidate.length) * 0.4;
    if (isNear && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { candidate, edits };
  }
  return best?.candidate;
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Insertions, removals, exchanges and swaps of neighbours that make one word of the other. */
function distance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > EDITS_MAX) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(last, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = [at(last, column) + 1, at(current, column - 1) + 1, replaced];
      if (swapped) edits.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...edits));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
