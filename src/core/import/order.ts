/** Something that waits for others. */
export interface Dependent {
  readonly source: string;
  readonly rank: number;
  readonly waitsFor: readonly string[];
}

/**
 * Sorts by dependencies, stably: of those that wait for nothing more, the one with the lowest rank comes next, then the first
 * (R-DIA-7). The sources of a cycle, and of what waits for it, if there is one.
 */
export function inOrder<T extends Dependent>(
  items: readonly T[],
): { readonly ok: true; readonly items: readonly T[] } | { readonly ok: false; readonly cycle: readonly string[] } {
  const sorted: T[] = [];
  let left = items;
  while (left.length > 0) {
    const open = new Set(left.map(({ source }) => source));
    const ready = left.filter(({ source, waitsFor }) => !waitsFor.some((other) => other !== source && open.has(other)));
    const lowest = Math.min(...ready.map(({ rank }) => rank));
    const next = ready.find(({ rank }) => rank === lowest);
    if (next === undefined) return { ok: false, cycle: left.map(({ source }) => source) };
    sorted.push(next);
    left = left.filter((item) => item !== next);
  }
  return { ok: true, items: sorted };
}
