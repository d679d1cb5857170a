const ALWAYS_PASSED = ['PATH', 'HOME', 'LANG', 'TERM', 'TMPDIR'];

/**
 * The part of an environment that programs get to see: what every program needs, and the names in `pass` (R-SEC-2).
 * A name that ends in `*` stands for all names that begin so.
 */
export function allowedEnvironment(
  source: NodeJS.ProcessEnv,
  { pass }: { readonly pass: readonly string[] },
): Record<string, string> {
  const names = [...ALWAYS_PASSED, ...pass];
  const isAllowed = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && names.some((name) => covers(name, entry[0]));
  return Object.fromEntries(Object.entries(source).filter(isAllowed));
}

function covers(wanted: string, name: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : wanted === name;
}
