/** Turns a forgotten case into a compile error, and into a bug report if it is reached all the same. */
export function unreachable(value: never): never {
  throw new Error(`A case was forgotten: ${JSON.stringify(value)}`);
}
