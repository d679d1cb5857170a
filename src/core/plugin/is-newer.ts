/** Whether a version is newer than another, by its numbers; what follows them, as `-beta.1`, is not compared. */
export function isNewer(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const at = a.findIndex((number, place) => number !== b[place]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const [, ...numbers] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return numbers.map(Number);
}
