const COMMANDS = new Set(
  `npm npx pnpm yarn bun bunx deno node tsc tsx vitest jest mocha eslint biome prettier playwright cypress turbo nx lerna
   python python2 python3 pip pip3 pytest tox nox ruff mypy pyright black flake8 pylint uv uvx poetry pipenv hatch coverage
   cargo rustc rustfmt go gofmt golangci-lint staticcheck java javac mvn gradle ant sbt kotlinc swift swiftc swiftlint
   xcodebuild xcrun dotnet msbuild make gmake cmake ctest ninja bazel buck meson just task rake ruby bundle gem rspec rubocop
   rails php composer phpunit phpstan perl prove lua luacheck elixir mix erl rebar3 ghc cabal stack zig dart flutter Rscript
   git gh glab svn hg docker docker-compose podman kubectl helm kustomize terraform tofu ansible vagrant aws gcloud az
   bash sh zsh dash fish pwsh env test grep egrep fgrep rg ag ack sg find ls cat head tail wc sort uniq cut tr sed awk gawk
   diff cmp comm stat file tree jq yq xq curl wget nc ping openssl ssh scp rsync tar gzip gunzip zip unzip shasum sha256sum md5sum
   sqlite3 psql mysql mongosh redis-cli shellcheck shfmt bats hadolint actionlint yamllint markdownlint pre-commit
   cd export source time timeout xargs exec eval command mkdir cp mv rm touch chmod ln printf echo true false exit sleep
   nix adb emulator gradlew mvnw hurl k6 ab openspec protoc buf sqlfluff dbt`.split(/\s+/),
);
/** Commands that are English words too: they need more than plain words after them. */
const WORDY = new Set(
  'make test find go just task time file head tail sort cut stack mix prove source stat tree command touch sleep exit'.split(
    ' ',
  ),
);
/** Words of a sentence about a result; next to one of these nothing is taken for a command. */
const TELLING =
  'a an the is are was were be been has have had should must shall will would can could may might returns return shows prints exits passes passed succeeds succeed succeeded fails failed matches finds reports outputs yields produces gives displays lists contains includes confirms works successfully no not all every any each without that which when these those sure via manually both either expect expected expects equals';
/** Words that a command may hold, but hardly one without options, quotes or paths. */
const DOUBTFUL =
  'show match report output print pass fail and or but then than this it its of for with from to on in at by as if into';
const TELLING_WORDS = new Set(TELLING.split(' '));
const DOUBTFUL_WORDS = new Set(DOUBTFUL.split(' '));
const PATH = /^(?:\.{0,2}|~|[\w.@-]+)\/[\w./@-]+$/;
/** Commands with plain sub-commands, as in `npm test` or `cargo clippy`. */
const MOST_PLAIN_WORDS = 3;
const LONGEST = 4_000;

/** Whether text without back-ticks starts and goes on like a command (R-READ-12). In doubt it does not. */
export function isBareCommand(text: string): boolean {
  if (text.length > LONGEST || /[`\n“”‘’…→—–]/.test(text) || /[.:!?]$/.test(text)) return false;
  const words = withoutQuotes(text)
    .split(/[ \t]+/)
    .filter((word) => word !== '');
  const first = words.findIndex((word) => !/^(?:[A-Z_][A-Z0-9_]*=.*|!|sudo|\[\[?|\()$/.test(word));
  const command = words[first] ?? '';
  if (!COMMANDS.has(command) && !PATH.test(command)) return false;
  const rest = words.slice(first + 1);
  if (rest.some((word) => TELLING_WORDS.has(word.toLowerCase()))) return false;
  if (isEvident(text, rest)) return true;
  return !WORDY.has(command)
    ? isPlain(command, rest)
    : command === 'make' && rest.length <= 2 && isPlain(command, rest);
}

/** Whether the first word of a text is a program that is known, or a path (R-BUG-1). */
export function beginsLikeCommand(text: string): boolean {
  const [first = ''] = text.trim().split(/[ \t]+/);
  return (COMMANDS.has(first) && !WORDY.has(first)) || first === 'make' || PATH.test(first);
}

/** Options, quotes, operators, variables or paths: no sentence has them. */
function isEvident(text: string, rest: readonly string[]): boolean {
  if (/[,;] [a-z]+ [a-z]+ [a-z]+ /.test(text)) return false;
  return rest.some(
    (word) =>
      /^--?[A-Za-z]/.test(word) ||
      /[|<>&$*={}]|;$|""/.test(word) ||
      /^[\w.@~-]*\/[\w./@*-]*$/.test(word) ||
      /^[\w-]+\.[a-z]\w{0,4}$/.test(word),
  );
}

function isPlain(command: string, rest: readonly string[]): boolean {
  if (rest.length === 0) return command !== 'true' && command !== 'false';
  return (
    rest.length <= MOST_PLAIN_WORDS &&
    rest.every((word) => /^[\w:.@-]+$/.test(word) && !DOUBTFUL_WORDS.has(word.toLowerCase()))
  );
}

/** Quoted text may say anything; it is taken as one empty pair of quotes. */
function withoutQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""');
}
