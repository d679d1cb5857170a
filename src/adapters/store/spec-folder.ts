import { type Dirent, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DialectChoice } from '../../core/plan/data/dialect.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import {
  ARCHIVE_FOLDER,
  CURRENT_SPEC_FILE,
  PROGRESS_FILE,
  planPathOf,
  progressFileOf,
  type SpecBooks,
  singleFileName,
  stateFileOf,
  TASKS_FILE,
  TOOL_FOLDERS,
  TRACKED_PROGRESS_FILE,
} from '../../core/spec-files.ts';
import { checkSpecName, kebabOf } from '../../core/spec-name.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf } from './disk.ts';
import { featureFolder, formatInFolder, formatOfFile, whyNoPlan } from './plan-format.ts';
import { specPrivateFolders, textOfSegment } from './private-folder.ts';
import { readText } from './read-text.ts';
import { repositoryAbove } from './repository-above.ts';
import { storageFault } from './storage-fault.ts';
import { toolContext } from './tool-context.ts';

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

/** A spec that is there: a folder, or a single file that is a plan (R-DIA-3). */
export interface SpecFolder extends SpecBooks {
  readonly name: string;
  /** What is typed for it in a command: its name, or a path where the name does not lead to it. */
  readonly operand: string;
  /** Absolute path of its folder, with links resolved. */
  readonly dir: string;
  /** How its plan is written, or would be. */
  readonly format: PlanFormat;
  /** A person named the dialect (R-DIA-3). */
  readonly isForced?: true;
  /** Further documents of the tool that owns the plan, relative to the repository's root (R-DIA-5). */
  readonly context?: readonly string[];
}

/** What keeps a spec from being used, and what to do about it; both end with a full stop. */
export interface SpecProblem {
  readonly ok: false;
  readonly message: string;
  readonly hint: string;
}

export type ResolvedSpec =
  | {
      readonly ok: true;
      readonly spec: SpecFolder /** No name was given, and it is the only one with a plan. */;
      readonly isOnly?: true;
    }
  | SpecProblem;

const CURRENT_BYTES_MAX = 10_000;
const LISTED_MAX = 10;

/**
 * The spec of this name, or without a name the active one, else the only one with a plan (R-START-1, R-FILE-2). A name that is none, is missing, or
 * exists in two roots is a problem, and so is a folder that leads out of the repository, or a link in the place of a
 * file that is written (R-SEC-1). Whether there is a plan in it is not looked at: see `missingPlan`.
 */
export async function resolveSpec(roots: SpecRoots, name?: string): Promise<ResolvedSpec> {
  return name === undefined ? await activeSpec(roots) : namedSpec(roots, name);
}

/** The spec that is known by this path of its folder or its plan, relative to the repository's root; see `specKey`. */
export function specAt(roots: SpecRoots, key: string): ResolvedSpec {
  const path = join(roots.repository, key);
  if (isFolder(path)) return placeOf(roots, path);
  if (isFile(path)) return singleFile(roots, path);
  return problem(`There is no folder or file ${key}.`, 'Restore it, or name another spec.');
}

/** A spec as it is once its folder is made; `path` is relative to the repository's root. */
export function folderToMake(roots: SpecRoots, path: string): SpecFolder {
  const { cwd, repository, specsDirs } = roots;
  const name = basename(path);
  const dir = join(repository, path);
  const isKnown = specsDirs.some((root) => resolve(cwd, root) === dirname(dir));
  return {
    name,
    operand: isKnown ? name : shown(roots, dir),
    dir,
    path,
    format: taskMarkdown,
    progressFile: PROGRESS_FILE,
  };
}

/** The paths of all specs that had a run or a worktree, relative to the repository's root; see `specKey`. */
export function knownPaths(commonDir: string): readonly string[] {
  return specPrivateFolders(commonDir).flatMap((dir) => textOfSegment(basename(dir)) ?? []);
}

/** The problem of a spec without a plan; `undefined` if there is one (R-PARSE-6). */
export async function missingPlan(spec: SpecFolder): Promise<SpecProblem | undefined> {
  if (lstatSync(join(spec.dir, spec.format.file), { throwIfNoEntry: false }) !== undefined) return undefined;
  return problem(
    `The spec "${spec.name}" has no tasks: ${planPathOf(spec)} is missing.`,
    `Write it, with one list item with a box for each task, such as "- [ ] 1.1 Add the login form", or have it drafted: specloop tasks --generate ${spec.name}`,
  );
}

/**
 * All specs of all roots, those of other tools last, by root and then by name, then the plans that are single files and had
 * a run or are active. What has no proper name, leads out of the repository or cannot be told apart is left out; see
 * `specProblems`.
 */
export async function listSpecs(roots: SpecRoots): Promise<readonly SpecFolder[]> {
  const found = allFolders(roots).flatMap(({ dir }) => specsOf(placeOf(roots, dir)));
  const folders = found.filter(({ dir }, index) => found.findIndex((other) => other.dir === dir) === index);
  return [...folders, ...singleFilesIn(roots).flatMap((path) => specsOf(singleFile(roots, path)))];
}

function specsOf(place: ResolvedSpec): readonly SpecFolder[] {
  return place.ok ? [place.spec] : [];
}

/** Absolute paths of the files that are known to be plans: the active one, and those that have a private folder of runs. */
function singleFilesIn(roots: SpecRoots): readonly string[] {
  const { cwd, repository } = roots;
  const commonDir = repositoryAbove(repository)?.commonDir;
  const known = (commonDir === undefined ? [] : knownPaths(commonDir)).map((path) => join(repository, path));
  return [...new Set([resolve(cwd, readableCurrentSpec(roots)), ...known])].filter(isFile).sort();
}

/** A spec that is named is found whatever `.current-spec` is; what is wrong with it is said where it is asked for. */
function readableCurrentSpec(roots: SpecRoots): string {
  try {
    return currentSpec(roots);
  } catch {
    return '';
  }
}

/** A folder with a plan that cannot be run, and why. */
export interface SpecInDoubt {
  readonly name: string;
  readonly path: string;
  readonly message: string;
}

/** The folders with a plan whose name is none of a spec, or whose dialect cannot be told (R-FILE-1, R-DIA-3). */
export async function specProblems(roots: SpecRoots): Promise<readonly SpecInDoubt[]> {
  const misnamed = rootsOf(roots).flatMap(({ root }) =>
    foldersIn(root)
      .filter((name) => /^[^._]/.test(name) && !checkSpecName(name).ok && existsSync(join(root, name, TASKS_FILE)))
      .map((name) => ({ name, dir: join(root, name), message: checkSpecName(name) })),
  );
  return [
    ...misnamed.map(({ name, dir, message }) => ({
      ...{
        name,
        path: pathFrom(roots.repository, dir),
        message: message.ok ? '' : `${message.message} ${message.hint}`,
      },
    })),
    ...allFolders(roots).flatMap(({ dir, name }) => {
      const found = isBelow(roots.repository, dir) ? formatInFolder(roots, dir) : undefined;
      return found?.ok === false
        ? [{ name, path: pathFrom(roots.repository, dir), message: `${found.message} ${found.hint}` }]
        : [];
    }),
  ];
}

/** A folder that holds specs, and which of its folders are some. */
interface SpecRoot {
  readonly root: string;
  readonly isSpec: (name: string) => boolean;
}

/** The roots of the settings, then those where other tools put theirs (R-DIA-3). */
function rootsOf({ cwd, repository, specsDirs }: SpecRoots): readonly SpecRoot[] {
  return [
    ...specsDirs.map((root) => ({ root: resolve(cwd, root), isSpec: () => true })),
    ...TOOL_FOLDERS.map(({ root: folder }) => {
      const root = join(repository, folder);
      return { root, isSpec: (name: string) => name !== ARCHIVE_FOLDER && holdsFile(join(root, name)) };
    }),
  ];
}

function allFolders(roots: SpecRoots): readonly { readonly name: string; readonly dir: string }[] {
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

/** Makes a spec the active one: by its name in the default root, by its path in another (R-FILE-2). Throws `StorageFault`. */
export async function switchSpec(roots: SpecRoots, spec: SpecFolder): Promise<void> {
  const isInDefaultRoot = !spec.isSingleFile && realOf(join(defaultRoot(roots), spec.name)) === spec.dir;
  const to = spec.isSingleFile ? join(spec.dir, spec.format.file) : spec.dir;
  const path = relative(realOf(roots.cwd) ?? roots.cwd, to)
    .split(sep)
    .join('/');
  makeFolder(defaultRoot(roots));
  writeAtomically(currentSpecFile(roots), `${isInDefaultRoot ? spec.name : `./${path}`}\n`);
}

/** Where only other tools and single files hold plans, the default root may be missing. */
function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw storageFault(error, 'write', dir);
  }
}

/** Absolute path of `.current-spec`. */
export function currentSpecFile(roots: SpecRoots): string {
  return join(defaultRoot(roots), CURRENT_SPEC_FILE);
}

function defaultRoot({ cwd, specsDirs }: SpecRoots): string {
  return resolve(cwd, specsDirs[0] ?? 'specs');
}

function namedSpec(roots: SpecRoots, name: string): ResolvedSpec {
  const checked = checkSpecName(name);
  if (!checked.ok) return specAtPath(roots, name) ?? checked;
  const [path, ...others] = pathsOf(roots, name);
  if (path === undefined) return missingSpec(roots, name);
  if (others.length > 0) return ambiguous(roots, name, [path, ...others]);
  return isFile(path) ? singleFile(roots, path) : placeOf(roots, path);
}

/** The folders, and the single files, that have this name. */
function pathsOf(roots: SpecRoots, name: string): readonly string[] {
  const inRoots = rootsOf(roots).flatMap(({ root, isSpec }) => (isSpec(name) ? [join(root, name)] : []));
  const feature = featureFolder(roots.repository);
  const own = feature !== undefined && basename(feature) === name ? [feature] : [];
  const files = singleFilesIn(roots).filter((path) => singleFileName(basename(path)) === name);
  return [...unlikeFolders([...inRoots, ...own]), ...files];
}

/** The spec of a folder, or of the plan in it, that is named by its path; `undefined` for a text that is no such path. */
function specAtPath(roots: SpecRoots, operand: string): ResolvedSpec | undefined {
  const dir = resolve(roots.cwd, operand);
  const isPath = /[/\\]|\.md$/i.test(operand) && !operand.split(/[/\\]/).includes('..');
  if (!isPath || !isBelow(roots.repository, dir)) return undefined;
  if (isFolder(dir)) return placeOf(roots, dir);
  if (!existsSync(dir)) return undefined;
  if (basename(dir) === TASKS_FILE && isBelow(roots.repository, dirname(dir))) return placeOf(roots, dirname(dir));
  return singleFile(roots, dir);
}

/** Why there is no folder of this name: nothing has it, or something else is in its place. */
function missingSpec(roots: SpecRoots, name: string): SpecProblem {
  const places = roots.specsDirs.flatMap((root) => [resolve(roots.cwd, root), resolve(roots.cwd, root, name)]);
  for (const place of places) {
    const found = linkOrFile(place);
    if (found === 'link') return problem(`${shown(roots, place)} is a broken link.`, 'Correct or remove the link.');
    if (found === 'file')
      return problem(`${shown(roots, place)} is a file, not a folder.`, 'Move it away, or name another spec.');
  }
  return problem(`There is no spec "${name}" in ${roots.specsDirs.join(', ')}.`, offer(roots));
}

function linkOrFile(path: string): 'link' | 'file' | undefined {
  if (isFolder(path)) return undefined;
  const found = ifThere(() => lstatSync(path));
  if (found === undefined) return undefined;
  return found.isSymbolicLink() && realOf(path) === undefined ? 'link' : 'file';
}

async function activeSpec(roots: SpecRoots): Promise<ResolvedSpec> {
  const file = shown(roots, currentSpecFile(roots));
  const written = currentSpec(roots);
  if (written === '') return await onlySpec(roots);
  const isPath = written.includes('/') || MARKDOWN.test(written);
  const dir = isPath ? resolve(roots.cwd, written) : join(defaultRoot(roots), written);
  if (isPath && isFile(dir)) return singleFile(roots, dir);
  const checked = checkSpecName(isPath ? basename(dir) : written);
  if (!checked.ok)
    return problem(`${file} names no spec: ${checked.message}`, `Choose one with "specloop switch". ${offer(roots)}`);
  if (!isFolder(dir))
    return problem(
      `${file} names the spec "${written}", which does not exist.`,
      `Choose another one with "specloop switch". ${offer(roots)}`,
    );
  return placeOf(roots, dir);
}

/** What a person, or `switch`, wrote into `.current-spec`; empty without it. */
function currentSpec(roots: SpecRoots): string {
  const text = readText(currentSpecFile(roots), CURRENT_BYTES_MAX);
  return text?.replace(/^\uFEFF/, '').trim() ?? '';
}

/** Where none is active, the only one with a plan is meant. */
async function onlySpec(roots: SpecRoots): Promise<ResolvedSpec> {
  const [spec, ...others] = (await listSpecs(roots)).filter(
    ({ dir, format, isSingleFile }) => !isSingleFile && existsSync(join(dir, format.file)),
  );
  if (spec !== undefined && others.length === 0) return { ok: true, spec, isOnly: true };
  return problem(
    'No spec was named, and none is active.',
    `Name one, or choose one with "specloop switch". ${offer(roots)}`,
  );
}

/** The folder, links resolved, and the check that it lies in the repository. */
function placeOf(roots: SpecRoots, dir: string): ResolvedSpec {
  const real = realOf(dir);
  const repository = realOf(roots.repository) ?? roots.repository;
  if (real === undefined || !isBelow(repository, real)) {
    return problem(
      `The spec folder ${shown(roots, dir)} leads outside the repository, to ${real ?? 'nowhere'}.`,
      'Replace the link with the folder itself, inside the repository.',
    );
  }
  const detected = formatInFolder({ ...roots, repository }, real);
  if (!detected.ok) return detected;
  const written = basename(dir);
  const name = checkSpecName(written).ok ? written : kebabOf(written);
  const [found, ...others] = name === written ? pathsOf(roots, name) : [];
  const isKnown = found !== undefined && others.length === 0 && realOf(found) === real;
  return specOf(roots, {
    ...{ name, operand: isKnown ? name : shown(roots, dir), dir: real, path: pathFrom(repository, real) },
    ...{ format: detected.format, progressFile: progressFileIn(real) },
    ...(detected.isForced && { isForced: true }),
  });
}

/** A plan that is a file among others, and the check that it can be run where it is. */
function singleFile(roots: SpecRoots, path: string): ResolvedSpec {
  const repository = realOf(roots.repository) ?? roots.repository;
  const dir = realOf(dirname(path));
  if (dir === undefined || !(dir === repository || isBelow(repository, dir)))
    return problem(
      `${shown(roots, path)} is outside the repository.`,
      'Name a file in the repository that you work in.',
    );
  const file = basename(path);
  const ofTool = whyNoPlan(repository, pathFrom(repository, join(dir, file)));
  const refused = ofTool ? problem(ofTool.message, ofTool.hint) : whyNotSingle(roots, { dir, file, path });
  if (refused !== undefined) return refused;
  const found = formatOfFile({ ...roots, repository }, join(dir, file), textOf(join(dir, file)));
  if (!found.ok) return found;
  const layout = { path: pathFrom(repository, dir), format: found.format, isSingleFile: true } as const;
  return specOf(roots, {
    ...{ ...layout, name: singleFileName(file), operand: shown(roots, path), dir },
    progressFile: progressFileOf(layout),
    ...(found.isForced && { isForced: true }),
  });
}

/** Why a file cannot be a plan by itself; `undefined` if it can. */
function whyNotSingle(
  roots: SpecRoots,
  { dir, file, path }: { readonly dir: string; readonly file: string; readonly path: string },
): SpecProblem | undefined {
  const name = shown(roots, path);
  if (!MARKDOWN.test(file) || file.startsWith('.'))
    return problem(`${name} is no Markdown file, so it cannot be run.`, 'Name a file that ends in .md.');
  const owner = allFolders(roots).find((folder) => realOf(folder.dir) === dir || isBelow(folder.dir, path));
  if (owner !== undefined)
    return problem(
      `${name} is a file of the spec "${owner.name}", not a plan.`,
      `Run the spec instead: specloop implement ${owner.name}.`,
    );
  const own = singleFileName(file);
  if (own === '')
    return problem(
      `No name for a spec can be made from ${name}.`,
      `Rename it with letters from a to z or digits, or move it to specs/my-plan/${TASKS_FILE}.`,
    );
  const twin = filesIn(dir).find((other) => other !== file && MARKDOWN.test(other) && singleFileName(other) === own);
  if (twin === undefined) return undefined;
  return problem(
    `${name} and ${shown(roots, join(dirname(path), twin))} would both be the spec "${own}", with the same files.`,
    'Rename one of them.',
  );
}

const MARKDOWN = /\.(?:md|markdown)$/i;

/** The spec, and the check that the files it writes are plain ones. */
function specOf(roots: SpecRoots, spec: SpecFolder): ResolvedSpec {
  const link = [spec.format.file, spec.progressFile, stateFileOf(spec)].find((file) =>
    lstatSync(join(spec.dir, file), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (link !== undefined)
    return problem(
      `${shown(roots, join(spec.dir, link))} is a symbolic link, and specloop does not write through links.`,
      'Replace it with a real file.',
    );
  const context = toolContext(realOf(roots.repository) ?? roots.repository, spec);
  return {
    ok: true,
    spec: {
      ...spec,
      ...(context.length === 0 ? {} : { context }),
    },
  };
}

const FRONT_MATTER = '---\n';
const PROGRESS_BYTES_MAX = 16 * 1024 * 1024;

/** A tracked progress file is known by its front matter: another file of that name is a person's own. */
function progressFileIn(dir: string): string {
  return textOf(join(dir, TRACKED_PROGRESS_FILE)).replace('\r', '').startsWith(FRONT_MATTER)
    ? TRACKED_PROGRESS_FILE
    : PROGRESS_FILE;
}

/** What cannot be read is no progress file. */
function textOf(path: string): string {
  try {
    return readText(path, PROGRESS_BYTES_MAX) ?? '';
  } catch {
    return '';
  }
}

function ambiguous(roots: SpecRoots, name: string, dirs: readonly string[]): SpecProblem {
  const paths = dirs.map((dir) => shown(roots, dir)).join(' and ');
  return problem(
    `The name "${name}" is ambiguous: it matches ${paths}.`,
    `Give the path of the one you mean instead of the name, or write it to ${shown(roots, currentSpecFile(roots))}.`,
  );
}

function offer(roots: SpecRoots): string {
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

/** The folders of a root whose names are those of specs. */
function namesIn(root: string): readonly string[] {
  return foldersIn(root).filter((name) => checkSpecName(name).ok);
}

function foldersIn(root: string): readonly string[] {
  return entriesIn(root, (entry) => entry.isDirectory() || entry.isSymbolicLink());
}

function filesIn(folder: string): readonly string[] {
  return entriesIn(folder, (entry) => entry.isFile());
}

function entriesIn(root: string, isWanted: (entry: Dirent) => boolean): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter(isWanted)
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw storageFault(error, 'read', root);
  }
}

/** The folders among these paths, each once, also if two roots are the same. */
function unlikeFolders(dirs: readonly string[]): readonly string[] {
  const folders = dirs.filter(isFolder);
  return folders.filter((dir, index) => folders.findIndex((other) => realOf(other) === realOf(dir)) === index);
}

function isFolder(path: string): boolean {
  return ifThere(() => statSync(path))?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return ifThere(() => statSync(path))?.isFile() ?? false;
}

/** What the system says of a path; `undefined` if nothing can be there, be it that a link of it leads to itself. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined; // It is not there, or a link of it leads nowhere.
  }
}

/** By segments: `/a/bc` is not below `/a/b`. */
function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function pathFrom(repository: string, path: string): string {
  return relative(repository, path).split(sep).join('/');
}

function shown({ cwd }: SpecRoots, path: string): string {
  return isBelow(cwd, path) ? relative(cwd, path) : path;
}

function problem(message: string, hint: string): SpecProblem {
  return { ok: false, message, hint };
}
