import { readdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { DialectChoice } from '../../core/plan/data/dialect.ts';
import { ARCHIVE_FOLDER, CURRENT_SPEC_FILE, singleFileName, TASKS_FILE, TOOL_FOLDERS } from '../../core/spec-files.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { featureFolder } from './plan-format.ts';
import { specPrivateFolders, textOfSegment } from './private-folder.ts';
import { readText } from './read-text.ts';
import { repositoryAbove } from './repository-above.ts';
import { entriesIn, ifThere, isBelow, isFile, isFolder, realOf } from './spec-paths.ts';

/** Where specs are looked for. */
export interface SpecRoots {
  /** Absolute; what the roots and a path in `.current-spec` are relative to. */
  readonly cwd: string;
  /** Absolute root of the repository; without one, `cwd`. No spec leads out of it (R-SEC-1). */
  readonly repository: string;
  /** The folders that hold specs; the first is the default one, where `.current-spec` is (R-FILE-1, R-FILE-2). */
  readonly specsDirs: readonly string[];
  /** The dialect that a person named for all plans (R-DIA-3). */
  readonly dialect?: DialectChoice | undefined;
  /** It was named for this command, not in a file of settings. */
  readonly isDialectOfCommand?: boolean | undefined;
}

/** A folder that holds specs, and which of its folders are some. */
interface SpecRoot {
  readonly root: string;
  readonly isSpec: (name: string) => boolean;
}

/** The roots of the settings, then those where other tools put theirs (R-DIA-3). */
export function rootsOf({ cwd, repository, specsDirs }: SpecRoots): readonly SpecRoot[] {
  return [
    ...specsDirs.map((root) => ({ root: resolve(cwd, root), isSpec: () => true })),
    ...TOOL_FOLDERS.map(({ root: folder }) => {
      const root = join(repository, folder);
      return { root, isSpec: (name: string) => name !== ARCHIVE_FOLDER && holdsFile(join(root, name)) };
    }),
  ];
}

const CURRENT_BYTES_MAX = 10_000;
const LISTED_MAX = 10;

/** All folders that are those of specs, in their order. */
export function allFolders(roots: SpecRoots): readonly { readonly name: string; readonly dir: string }[] {
  const feature = featureFolder(roots.repository);
  const inRoots = rootsOf(roots).flatMap(({ root, isSpec }) =>
    namesIn(root)
      .filter(isSpec)
      .map((name) => ({ name, dir: join(root, name) })),
  );
  const own =
    feature === undefined || !checkSpecName(basename(feature)).ok ? [] : [{ name: basename(feature), dir: feature }];
  return [...inRoots, ...own].filter(({ dir }) => isFolder(dir));
}

/** A folder of other folders, as tools nest them, is no spec. */
function holdsFile(dir: string): boolean {
  return (ifThere(() => readdirSync(dir, { withFileTypes: true })) ?? []).some((entry) => entry.isFile());
}

/** The folders, and the single files, that have this name. */
export function pathsOf(roots: SpecRoots, name: string): readonly string[] {
  const inRoots = rootsOf(roots).flatMap(({ root, isSpec }) => (isSpec(name) ? [join(root, name)] : []));
  const feature = featureFolder(roots.repository);
  const own = feature !== undefined && basename(feature) === name ? [feature] : [];
  const files = singleFilesIn(roots).filter((path) => singleFileName(basename(path)) === name);
  return [...unlikeFolders([...inRoots, ...own]), ...files];
}

/** The folders among these paths, each once, also if two roots are the same. */
function unlikeFolders(dirs: readonly string[]): readonly string[] {
  const folders = dirs.filter(isFolder);
  return folders.filter((dir, index) => folders.findIndex((other) => realOf(other) === realOf(dir)) === index);
}

/** Absolute paths of the files that are known to be plans: the active one, and those that have a private folder of runs. */
export function singleFilesIn(roots: SpecRoots): readonly string[] {
  const { cwd, repository } = roots;
  const commonDir = repositoryAbove(repository)?.commonDir;
  const known = (commonDir === undefined ? [] : knownPaths(commonDir)).map((path) => join(repository, path));
  return [...new Set([resolve(cwd, readableCurrentSpec(roots)), ...known])].filter(isFile).sort();
}

/** The paths of all specs that had a run or a worktree, relative to the repository's root; see `specKey`. */
export function knownPaths(commonDir: string): readonly string[] {
  return specPrivateFolders(commonDir).flatMap((dir) => textOfSegment(basename(dir)) ?? []);
}

/** A spec that is named is found whatever `.current-spec` is; what is wrong with it is said where it is asked for. */
function readableCurrentSpec(roots: SpecRoots): string {
  try {
    return currentSpec(roots);
  } catch {
    return '';
  }
}

/** What a person, or `switch`, wrote into `.current-spec`; empty without it. */
export function currentSpec(roots: SpecRoots): string {
  const text = readText(currentSpecFile(roots), CURRENT_BYTES_MAX);
  return text?.replace(/^\uFEFF/, '').trim() ?? '';
}

/** Absolute path of `.current-spec`. */
export function currentSpecFile(roots: SpecRoots): string {
  return join(defaultRoot(roots), CURRENT_SPEC_FILE);
}

/** The folder in which specs are made, and that holds `.current-spec`. */
export function defaultRoot({ cwd, specsDirs }: SpecRoots): string {
  return resolve(cwd, specsDirs[0] ?? 'specs');
}

/** The folders of a root whose names are those of specs. */
function namesIn(root: string): readonly string[] {
  return foldersIn(root).filter((name) => checkSpecName(name).ok);
}

/** The names of the folders in a root, and of the links in it. */
export function foldersIn(root: string): readonly string[] {
  return entriesIn(root, (entry) => entry.isDirectory() || entry.isSymbolicLink());
}

/** A path as people read it: relative to where they are, if it is below. */
export function shown({ cwd }: SpecRoots, path: string): string {
  return isBelow(cwd, path) ? relative(cwd, path) : path;
}

/** Which specs there are, as a hint. */
export function offer(roots: SpecRoots): string {
  const names = [
    ...new Set([
      ...roots.specsDirs.flatMap((root) => namesIn(resolve(roots.cwd, root))),
      ...allFolders(roots).map(({ name }) => name),
    ]),
  ];
  if (names.length === 0)
    return `There are no specs in ${roots.specsDirs.join(', ')}. A spec is a folder with a ${TASKS_FILE}; make one with specloop new NAME "GOAL".`;
  return `Specs: ${firstOf(names, LISTED_MAX)}.`;
}
