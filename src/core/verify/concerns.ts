/** What judges the work: a file that a Verify command names, or a test. */
const TEST_FILE =
  /(^|\/)(tests?|__tests__|specs?|e2e)\/|[._-](test|spec)\.[^/]+$|(^|\/)test_[^/]+\.py$|_test\.(go|py|rb|exs?)$/i;
const SKIP_MARKER =
  /\b(it|test|describe|context|suite)\.(skip|only|todo|failing)\b|\bx(it|describe|test)\(|@pytest\.mark\.(skip|xfail)|@unittest\.skip|\bt\.Skip(Now|f)?\(|#\[ignore\]|@(Ignore|Disabled)\b|\bpending\(/;
const SHOWN_MAX = 20;
const LINE_CHARS_MAX = 160;

/** A page is none, wherever it lies: `specs/demo/design.md`. */
const PAGE = /\.(mdx?|markdown|rst|adoc|txt)$/i;

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path) && !PAGE.test(path);
}

/** What the coordinator measured of an attempt's changes. */
export interface ChangeFacts {
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Patch of the changed test files; empty if there are none. */
  readonly testPatch: string;
  /** Verify commands of the whole plan. */
  readonly commands: readonly string[];
  /** Whether *Files* of the task name a path. */
  readonly isNamed: (path: string) => boolean;
}

/** Changes to what judges the work: none of them is wrong by itself, all of them are worth a look. One sentence each. */
export function concerns({ changed, deleted, testPatch, commands, isNamed }: ChangeFacts): readonly string[] {
  const runs = (path: string) => commands.some((command) => command.includes(path) && wordsOf(command).includes(path));
  const scripts = changed.filter((path) => runs(path) && !isNamed(path));
  const judging = changed.flatMap((path) => (isNamed(path) ? [] : throughRunner(path, commands)));
  const gone = deleted.filter((path) => isTestFile(path) && !isNamed(path));
  return [
    ...scripts.map((path) => `${path} was changed, and a Verify command of the plan runs it.`),
    ...judging,
    ...gone.map((path) => `The test ${path} was deleted.`),
    ...skipped(testPatch),
  ].slice(0, SHOWN_MAX);
}

/** Files that known runners go through, and the commands of those runners. */
const RUNNERS: readonly { readonly file: RegExp; readonly command: RegExp }[] = [
  { file: /(^|\/)(package\.json|\.npmrc)$/, command: /\b(npm|npx|yarn|pnpm|pnpx|bun|bunx)\b/ },
  { file: /(^|\/)((GNUm|[Mm])akefile|[^/]+\.mk)$/, command: /\bmake\b/ },
  { file: /(^|\/)\.?justfile$/i, command: /\bjust\b/ },
  {
    file: /(^|\/)(conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|noxfile\.py)$/,
    command: /\b(pytest|tox|nox|python3?)\b/,
  },
  {
    file: /(^|\/)(vitest|vite|jest|playwright|mocha|karma|cypress|ava|eslint|biome)[^/]*\.(config\.[^/]+|json[c5]?|ya?ml)$|(^|\/)\.(mocharc|eslintrc)/,
    command: /\b(vitest|vite|jest|playwright|mocha|karma|cypress|ava|eslint|biome|npm|npx|yarn|pnpm|bun)\b/,
  },
  { file: /(^|\/)tsconfig[^/]*\.json$/, command: /\b(tsc|npm|npx|yarn|pnpm)\b/ },
  { file: /(^|\/)(Cargo\.toml|build\.rs)$|(^|\/)\.cargo\//, command: /\bcargo\b/ },
  { file: /(^|\/)go\.(mod|work)$/, command: /\bgo\b/ },
  { file: /(^|\/)(build|settings)\.gradle(\.kts)?$|(^|\/)gradlew$/, command: /\bgradlew?\b/ },
  { file: /(^|\/)pom\.xml$|(^|\/)mvnw$/, command: /\bmvnw?\b/ },
  { file: /(^|\/)(Rakefile|Gemfile|\.rspec)$/, command: /\b(rake|rspec|bundle)\b/ },
  { file: /(^|\/)(composer\.json|phpunit[^/]*\.xml[^/]*)$/, command: /\b(composer|phpunit|php)\b/ },
];

/** What the proof goes through without naming it (R-VER-14). */
function throughRunner(path: string, commands: readonly string[]): readonly string[] {
  const runners = RUNNERS.filter(({ file }) => file.test(path));
  const command = commands.find((text) => runners.some((runner) => runner.command.test(text)));
  return command === undefined
    ? []
    : [`${path} was changed, and the Verify command \`${command.slice(0, LINE_CHARS_MAX)}\` runs it.`];
}

function wordsOf(command: string): readonly string[] {
  return command.split(/[\s"'`;|&()<>=]+/).map((word) => word.replace(/^\.\//, ''));
}

function skipped(patch: string): readonly string[] {
  let file = '';
  return patch.split('\n').flatMap((line) => {
    if (line.startsWith('+++ ')) file = line.slice(4).replace(/^b\//, '').trim();
    const isAdded = line.startsWith('+') && !line.startsWith('+++');
    return isAdded && SKIP_MARKER.test(line)
      ? [`A test is skipped or singled out in ${file}: ${line.slice(1).trim().slice(0, LINE_CHARS_MAX)}`]
      : [];
  });
}
