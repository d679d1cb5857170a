import { firstOf } from '../text/first-of.ts';
/** Variables that tools of these kinds read, so that a command may fail without them; a name that ends in `*` stands for all that begin so. */
export const READ_BY_TOOLS: readonly string[] = [
  ...['JAVA_HOME', 'JDK_HOME', 'JAVA_OPTS', 'JAVA_TOOL_OPTIONS', 'GRADLE_*', 'MAVEN_*', 'M2_HOME'],
  ...['ANDROID_HOME', 'ANDROID_SDK_ROOT', 'ANDROID_NDK_*', 'DOTNET_*', 'NUGET_*'],
  ...['GOPATH', 'GOROOT', 'GOFLAGS', 'GOPROXY', 'GOPRIVATE', 'CARGO_*', 'RUSTUP_*', 'RUSTFLAGS'],
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_EXTRA_CA_CERTS', 'NPM_CONFIG_*', 'PNPM_HOME', 'YARN_*', 'PLAYWRIGHT_*'],
  ...['VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME', 'CONDA_PREFIX', 'PYENV_VERSION', 'PIP_INDEX_URL', 'POETRY_*', 'UV_*'],
  ...['GEM_HOME', 'GEM_PATH', 'BUNDLE_*', 'RBENV_VERSION', 'COMPOSER_*', 'MIX_*'],
  ...['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'KUBECONFIG', 'DATABASE_URL', 'REDIS_URL', 'MONGODB_URI'],
  ...['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS', 'LD_LIBRARY_PATH', 'PKG_CONFIG_PATH', 'CMAKE_*'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'],
];

/** What a program that is an agent may read besides: which service of models it uses, only it knows. */
export const READ_BY_AGENTS: readonly string[] = [...READ_BY_TOOLS, '*_API_KEY', '*_AUTH_TOKEN'];

const LISTED_MAX = 8;
const NAME = /\b[A-Za-z_][A-Za-z0-9_]{2,}\b/g;

/** What was run without some of the user's variables. */
export interface Ran {
  /** What it is: the command, and what it printed. */
  readonly texts: readonly string[];
  /** Names of the variables that are set for the user and that it did not get. */
  readonly withheld: readonly string[];
}

/**
 * Which variables a program that failed may have missed (R-SEC-2): those that it or its output names, then those of a list
 * of `known` names. Each part is sorted.
 */
export function missedVariables({ texts, withheld }: Ran, known: readonly string[]): readonly string[] {
  const words = new Set(texts.flatMap((text) => text.match(NAME) ?? []));
  const isNamed = (name: string) => words.has(name) && /[A-Z].*_|_.*[A-Z]/.test(name);
  const isRead = (name: string) => texts.some((text) => readsVariable(text, name));
  const named = withheld.filter((name) => isNamed(name) || isRead(name)).toSorted();
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
  return `Not passed, although set here: ${firstOf(names, LISTED_MAX)}; see --pass-env.`;
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
