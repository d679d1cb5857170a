/** How test runners name a test that failed, each on a line of its own. */
const PATTERNS: readonly RegExp[] = [
  /^\s*not ok \d+ -? ?(.+)$/,
  /^\s*(?:✗|✘|✖|✕|×)\s+(.+?)(?:\s+\(?\d+(?:\.\d+)?\s*m?s\)?)?$/,
  /^\s*FAIL(?:ED)?[ :]\s*(.+)$/,
  /^\s*--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED$/,
  /^\s*● (.+)$/,
];
const FAILURES_MAX = 500;
const NAME_CHARS_MAX = 300;

/**
 * The tests that failed in a run of the project's test command, by name, in order, each once. A run that failed without
 * naming a test has one failure: that it failed. None for a run that passed.
 */
export function testFailures({
  exitCode,
  output,
}: {
  readonly exitCode: number | undefined;
  readonly output: string;
}): readonly string[] {
  if (exitCode === 0) return [];
  const names = output.split(/\r?\n/).flatMap((line) => nameIn(line) ?? []);
  const named = [...new Set(names)].slice(0, FAILURES_MAX);
  return named.length > 0
    ? named
    : [`the test command ${exitCode === undefined ? 'did not end' : `exited with ${exitCode}`}`];
}

function nameIn(line: string): string | undefined {
  if (line.length > 2 * NAME_CHARS_MAX) return undefined;
  for (const pattern of PATTERNS) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name.trim().slice(0, NAME_CHARS_MAX);
  }
  return undefined;
}
