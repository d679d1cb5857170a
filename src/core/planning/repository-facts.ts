import { oneLine } from '../text/sanitise.ts';
import { sharesWords } from './shared-words.ts';
import { devServers, isToolFile, packageManagers, relatedSkills } from './tool-facts.ts';

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

/** The files whose text tells how a project is built and checked: those next to the root first. */
export function filesToRead(paths: readonly string[]): readonly string[] {
  const wanted = paths.filter((path) => MANIFESTS.test(path) || CI_FILES.test(path) || isToolFile(path));
  return [...wanted].sort((left, right) => depthOf(left) - depthOf(right)).slice(0, READ_MAX);
}

/**
 * What code can tell of a repository, a line each: languages, package managers, manifests and scripts, commands of CI, dev server and
 * ports, folders, related specs and skills.
 */
export function repositoryFacts(read: ReadRepository): readonly string[] {
  return [
    ...languages(read.paths),
    ...packageManagers(read),
    ...manifests(read),
    ...ciCommands(read),
    ...devServers(read, (path) => scriptsIn(read.texts.get(path) ?? '') ?? {}),
    ...tree(read.paths),
    ...related(read),
    ...relatedSkills(read, read.goal),
  ].map((line) => oneLine(line, LINE_CHARS_MAX));
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

/** The scripts of a `package.json`; `undefined` for a text that is no JSON. */
export function scriptsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return (JSON.parse(text) as { readonly scripts?: Readonly<Record<string, unknown>> }).scripts ?? {};
  } catch {
    return undefined;
  }
}

function packageScripts(text: string): readonly string[] {
  const scripts = scriptsIn(text);
  if (scripts === undefined) return ['  It is no valid JSON.'];
  return Object.entries(scripts)
    .slice(0, LINES_MAX)
    .map(([name, command]) => `  Script ${name}: ${String(command)}`);
}

function ciCommands({ paths, texts }: ReadRepository): readonly string[] {
  return paths
    .filter((path) => CI_FILES.test(path) && texts.has(path))
    .flatMap((path) => {
      const commands = runIn(texts.get(path) ?? '').slice(0, LINES_MAX);
      return [`${CI}${path}`, ...commands.map((command) => `  Runs: ${command}`)];
    });
}

/** What the steps of a CI file run, a line each, blocks of several lines included. */
function runIn(text: string): readonly string[] {
  let blockIndent: number | undefined;
  return text.split(/\r?\n/).flatMap((line) => {
    const indent = line.search(/\S/);
    if (indent === -1) return [];
    if (blockIndent !== undefined && indent > blockIndent) return [line.trim()];
    const [, before = '', command = ''] = /^([ \t]*(?:- )?)run:[ \t]*(.*)$/.exec(line) ?? [];
    blockIndent = /^[|>]/.test(command) ? before.length : undefined;
    return command === '' || blockIndent !== undefined ? [] : [command];
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
  const found = specs.filter((spec) => sharesWords(goal, `${spec.name.replaceAll('-', ' ')} ${spec.goal}`));
  return found.map(({ name, goal: other }) => `Related spec: ${name}${other === '' ? '' : `: ${other}`}`);
}

function depthOf(path: string): number {
  return path.split('/').length;
}
