/** What every program needs: who and where it runs, and how it is to write text and time. */
const ALWAYS_PASSED = [
  ...['PATH', 'HOME', 'TERM', 'TMPDIR', 'TZ'],
  ...['LANG', 'LANGUAGE', 'LC_ALL', 'LC_COLLATE', 'LC_CTYPE', 'LC_MESSAGES', 'LC_MONETARY', 'LC_NUMERIC', 'LC_TIME'],
];

/** Proxies, in both ways of writing them: agents reach their model through them. They may hold a password. */
export const PROXY_VARIABLES: readonly string[] = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap(
  (name) => [name, name.toLowerCase()],
);

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

const NAME = /^[A-Za-z_]\w*$/;

/** Names of the variables that are set and that programs with this environment do not get; what no shell can name is left out. */
export function withheldNames(source: NodeJS.ProcessEnv, passed: Readonly<Record<string, string>>): readonly string[] {
  const isWithheld = (name: string) => source[name] !== undefined && !Object.hasOwn(passed, name);
  return Object.keys(source).filter((name) => NAME.test(name) && isWithheld(name));
}

function covers(wanted: string, name: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : wanted === name;
}
