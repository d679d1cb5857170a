import { oneLine } from '../text/sanitise.ts';

/** What code reads of a repository to tell the authors of drafts (R-PLAN-2). */
export interface ReadRepository {
  /** All committed paths. */
  readonly paths: readonly string[];
  /** Texts of manifests and CI files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The other specs, with their goals as far as they say one. */
  readonly specs: readonly { readonly name: string; readonly goal: string }[];
  readonly goal: string;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  js: 'JavaScript',
  mjs: 'JavaScript',
  jsx: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  cs: 'C#',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  swift: 'Swift',
  sh: 'Shell',
};
const LANGUAGES_MAX = 6;
const MANIFESTS =
  /(^|\/)(package\.json|Makefile|justfile|pyproject\.toml|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json)$/;
const CI_FILES = /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci\/config\.yml)$/;
const READ_MAX = 20;
const LINES_MAX = 40;
const LINE_CHARS_MAX = 200;
const TREE_DEPTH = 3;
const TREE_MAX = 60;
const SHARED_WORDS_MIN = 2;

/** The files whose text tells how a project is built and checked: those next to the root first. */
export function filesToRead(paths: readonly string[]): readonly string[] {
  const wanted = paths.filter((path) => MANIFESTS.test(path) || CI_FILES.test(path));
  return [...wanted].sort((left, right) => depthOf(left) - depthOf(right)).slice(0, READ_MAX);
}

/** What code can tell of a repository, a line each: languages, manifests and scripts, commands of CI, folders, related specs. */
export function repositoryFacts(read: ReadRepository): readonly string[] {
  return [...languages(read.paths), ...manifests(read), ...ciCommands(read), ...tree(read.paths), ...related(read)].map(
    (line) => oneLine(line, LINE_CHARS_MAX),
  );
}

/** Whether nothing among the facts says how the project is built and checked. */
export function isToolingUnknown(facts: readonly string[]): boolean {
  return !facts.some((line) => line.startsWith(MANIFEST) || line.startsWith(CI));
}

const MANIFEST = 'Manifest: ';
const CI = 'CI: ';

function languages(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = LANGUAGES[/\.([a-z]+)$/.exec(path)?.[1] ?? ''];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const most = [...counts].sort(([, left], [, right]) => right - left).slice(0, LANGUAGES_MAX);
  return most.length === 0 ? [] : [`Languages: ${most.map(([name, count]) => `${name} (${count} files)`).join(', ')}`];
}

function manifests({ paths, texts }: ReadRepository): readonly string[] {
  return paths
    .filter((path) => MANIFESTS.test(path) && texts.has(path))
    .flatMap((path) => [`${MANIFEST}${path}`, ...scriptsOf(path, texts.get(path) ?? '')]);
}

function scriptsOf(path: string, text: string): readonly string[] {
  if (path.endsWith('package.json')) return packageScripts(text);
  if (/(Makefile|justfile)$/.test(path))
    return [...text.matchAll(/^([A-Za-z][\w-]*):(?!=)/gm)].slice(0, LINES_MAX).map(([, name]) => `  Target: ${name}`);
  return [];
}

function packageScripts(text: string): readonly string[] {
  try {
    const { scripts = {} } = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> };
    return Object.entries(scripts)
      .slice(0, LINES_MAX)
      .map(([name, command]) => `  Script ${name}: ${String(command)}`);
  } catch {
    return ['  It is no valid JSON.'];
  }
}

function ciCommands({ paths, texts }: ReadRepository): readonly string[] {
  return paths
    .filter((path) => CI_FILES.test(path) && texts.has(path))
    .flatMap((path) => {
      const commands = [...(texts.get(path) ?? '').matchAll(/^[ \t]*(?:- )?run:[ \t]*(?!\|)(\S.*)$/gm)];
      return [`${CI}${path}`, ...commands.slice(0, LINES_MAX).map(([, command]) => `  Runs: ${command}`)];
    });
}

/** The folders down to some depth, with how many files are in them. */
function tree(paths: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const parts = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(parts.length, TREE_DEPTH); depth++) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const folders = [...counts].sort(([left], [right]) => (left < right ? -1 : 1));
  const more = folders.length > TREE_MAX ? [`  and ${folders.length - TREE_MAX} more`] : [];
  if (folders.length === 0) return [];
  return ['Folders:', ...folders.slice(0, TREE_MAX).map(([folder, count]) => `  ${folder}/ (${count} files)`), ...more];
}

/** Specs that share words with the goal. */
function related({ specs, goal }: ReadRepository): readonly string[] {
  const wanted = wordsOf(goal);
  const found = specs.filter((spec) => {
    const words = wordsOf(`${spec.name.replaceAll('-', ' ')} ${spec.goal}`);
    return [...wanted].filter((word) => words.has(word)).length >= SHARED_WORDS_MIN;
  });
  return found.map(({ name, goal: other }) => `Related spec: ${name}${other === '' ? '' : `: ${other}`}`);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => !COMMON.has(word)));
}

const COMMON = new Set(
  'that this with from have when then will should must which into them they their there'.split(' '),
);

function depthOf(path: string): number {
  return path.split('/').length;
}
