import { firstOf } from '../text/first-of.ts';

/** Tools, by how a command or its output names them, and the variables that they read; a name that ends in `*` stands for all that begin so. */
export interface Readers {
  readonly named: RegExp;
  readonly read: readonly string[];
}

/** Tools of the usual kinds: without such a variable, they may fail and not name it. */
export const READ_BY_TOOLS: readonly Readers[] = [
  {
    named: /\b(?:javac?|gradlew?|mvnw?|kotlinc?|sbt|adb|flutter)\b/,
    read: ['JAVA_HOME', 'JDK_HOME', 'JAVA_OPTS', 'JAVA_TOOL_OPTIONS', 'GRADLE_*', 'MAVEN_*', 'M2_HOME', 'ANDROID_*'],
  },
  { named: /\b(?:dotnet|nuget)\b/, read: ['DOTNET_*', 'NUGET_*'] },
  {
    named: /\bgo (?:build|test|run|vet|mod|install|get|generate|tool)\b/,
    read: ['GOPATH', 'GOROOT', 'GOFLAGS', 'GOPROXY', 'GOPRIVATE'],
  },
  { named: /\b(?:cargo|rustc|rustup)\b/, read: ['CARGO_*', 'RUSTUP_*', 'RUSTFLAGS'] },
  {
    named: /\b(?:node|np[mx]|pnpm|yarn|bun|playwright)\b/,
    read: ['NODE_OPTIONS', 'NODE_PATH', 'NPM_CONFIG_*', 'PNPM_HOME', 'YARN_*', 'PLAYWRIGHT_*'],
  },
  {
    named: /\b(?:python[\d.]*|pip3?|pytest|tox|nox|conda|poetry|uv)\b/,
    read: ['VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME', 'CONDA_PREFIX', 'PYENV_VERSION', 'PIP_*', 'POETRY_*', 'UV_*'],
  },
  { named: /\b(?:ruby|gem|bundle|rake|rspec|rails)\b/, read: ['GEM_HOME', 'GEM_PATH', 'BUNDLE_*', 'RBENV_VERSION'] },
  { named: /\b(?:composer|php)\b/, read: ['COMPOSER_*'] },
  { named: /\b(?:mix|elixir)\b/, read: ['MIX_*'] },
  { named: /\bdocker\b/, read: ['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG'] },
  { named: /\b(?:kubectl|helm)\b/, read: ['KUBECONFIG'] },
  {
    named: /\b(?:psql|postgres\w*|mysql|redis\S*|mongo\w*|database|prisma|manage\.py|rails)\b/i,
    read: ['DATABASE_URL', 'REDIS_URL', 'MONGODB_URI'],
  },
  {
    named: /\b(?:make|cmake|gcc|g\+\+|cc|clang|configure)\b/,
    read: ['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'LD_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'CMAKE_*'],
  },
  {
    named: /\b(?:proxy|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|could not resolve|connection (?:refused|timed out))\b/i,
    read: ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'],
  },
  {
    named: /\bcertificates?\b|\b(?:SSL|TLS|CERT_\w+)\b/i,
    read: ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'],
  },
];

/** What a program that is an agent may read in addition: which service of models it uses, only it knows. */
export const READ_BY_AGENTS: readonly Readers[] = [
  ...READ_BY_TOOLS,
  { named: /(?:)/, read: ['*_API_KEY', '*_AUTH_TOKEN'] },
];

const LISTED_MAX = 8;
const NAME = /\b[A-Za-z_][A-Za-z0-9_]{2,}\b/g;

/** What was run without some of the user's variables. */
export interface Ran {
  /** What it is: the command first, then what it printed. */
  readonly texts: readonly string[];
  /** Names of the variables that are set for the user and that it did not get. */
  readonly withheld: readonly string[];
}

/** A script: what it runs is not in the command. */
const SCRIPT = /^\s*(?:(?:ba|da|z)?sh\s+[\w./-]+|\.?[\w-]*\/[\w./-]+)(?:\s|$)/;

/**
 * Which variables a program that failed may have missed (R-SEC-2): those that it or its output names, then those that a
 * tool reads which it or its output names; of a script that failed without a word, those that any tool reads. Each part
 * is sorted.
 */
export function missedVariables({ texts, withheld }: Ran, readers: readonly Readers[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.match(NAME) ?? []));
  const isNamed = (name: string) => words.has(name) && /[A-Z].*_|_.*[A-Z]/.test(name);
  const isRead = (name: string) => texts.some((text) => readsVariable(text, name));
  const named = withheld.filter((name) => isNamed(name) || isRead(name)).toSorted();
  const [command = '', ...printed] = texts;
  const isMute = SCRIPT.test(command) && printed.length > 0 && printed.every((text) => text.trim() === '');
  const known = readers
    .filter((reader) => isMute || texts.some((text) => reader.named.test(text)))
    .flatMap(({ read }) => read);
  const others = withheld.filter((name) => !named.includes(name) && known.some((pattern) => covers(pattern, name)));
  return [...named, ...others.toSorted()];
}

/** Variables that a shell command reads, does not set itself, and would not get. */
export function readWithout(command: string, withheld: readonly string[]): readonly string[] {
  return withheld.filter((name) => readsVariable(command, name) && !setsVariable(command, name)).toSorted();
}

/** For people: what was not passed, and what passes it. Empty for none. */
export function notPassedText(names: readonly string[]): string {
  if (names.length === 0) return '';
  return `Set here but not passed: ${firstOf(names, LISTED_MAX)}; see --pass-env.`;
}

function readsVariable(text: string, name: string): boolean {
  return new RegExp(`\\$\\{?${name}\\b`).test(text);
}

function setsVariable(command: string, name: string): boolean {
  return new RegExp(`(^|[\\s;&|(])(${name}=|(for|read)\\s([^;&|]*\\s)?${name}\\b)`).test(command);
}

function covers(pattern: string, name: string): boolean {
  if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}
