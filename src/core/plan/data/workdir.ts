import type { SpecLayout } from '../../spec-files.ts';
import { oneLine } from '../../text/sanitise.ts';

const PATH_CHARS_MAX = 200;

/** Files that say that a folder is a package: its commands are meant to run there. */
export const MANIFESTS: readonly string[] = [
  'package.json',
  'deno.json',
  'deno.jsonc',
  'pyproject.toml',
  'setup.py',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
  'mix.exs',
  'pubspec.yaml',
  'Package.swift',
];

/**
 * The folder in which agents and commands run when no setting names one: the nearest package that the folder of specs lies
 * in, or a plan that is a single file, else the repository's root, `''`. `isPackage` tells whether a folder, relative to
 * the root, has one of `MANIFESTS`.
 */
export function nearestPackage(
  { path, isSingleFile }: Pick<SpecLayout, 'path' | 'isSingleFile'>,
  isPackage: (dir: string) => boolean,
): string {
  const folders = path.split('/').slice(0, isSingleFile ? undefined : -2);
  for (let length = folders.length; length > 0; length--) {
    const dir = folders.slice(0, length).join('/');
    if (isPackage(dir)) return dir;
  }
  return '';
}

/**
 * Entries of *Files* relative to the repository's root. One is taken relative to the working folder, else to the root;
 * as only the files can tell which, both are named. `workdir` is relative to the root, `''` for the root itself.
 */
export function filesFrom(workdir: string, files: readonly string[]): readonly string[] {
  if (workdir === '') return files;
  return [...new Set(files.flatMap((file) => bothForms(workdir, file)))];
}

function bothForms(workdir: string, file: string): readonly string[] {
  const plain = file.replace(/^(\.\/)+/, '');
  if (plain === '' || plain === '.') return [workdir];
  if (plain.startsWith('/') || plain === workdir || plain.startsWith(`${workdir}/`)) return [plain];
  const below = joined(workdir, plain);
  if (plain.startsWith('../')) return below === undefined ? [] : [below];
  return [`${workdir}/${plain}`, plain];
}

/** A path seen from a folder; `undefined` if it leads out of the repository. */
function joined(dir: string, path: string): string | undefined {
  const steps = dir.split('/');
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined;
    } else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** A path of the repository as it is reached from the working folder; both are relative to the root. */
export function seenFrom(workdir: string, path: string): string {
  if (workdir === '') return path;
  const from = workdir.split('/');
  const to = path === '' ? [] : path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/') || '.';
}

/**
 * Where the agents and commands of a spec run, as a sentence for people; nothing for a spec at the repository's root, where
 * there is no other place to think of (R-UX-1).
 */
export function workdirSentence(specPath: string, workdir: string): string | undefined {
  if (workdir !== '') return `Agents and commands run in ${oneLine(workdir, PATH_CHARS_MAX)}.`;
  return specPath.split('/').length > 2 ? "Agents and commands run in the repository's root." : undefined;
}
