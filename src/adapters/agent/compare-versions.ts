/** Below 0 if the first version is older, above 0 if it is newer, else 0. Compares numbers, as in `2.1.332`; the rest is left out. */
export function compareVersions(one: string, other: string): number {
  const [ours, theirs] = [numbersIn(one), numbersIn(other)];
  const count = Math.max(ours.length, theirs.length);
  const differences = Array.from({ length: count }, (_, at) => (ours[at] ?? 0) - (theirs[at] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function numbersIn(version: string): readonly number[] {
  return (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
