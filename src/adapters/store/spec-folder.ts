import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DialectChoice } from '../../core/plan/dialect.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import {
  ARCHIVE_FOLDER,
  CURRENT_SPEC_FILE,
  PROGRESS_FILE,
  STATE_FILE,
  TASKS_FILE,
  TOOL_FOLDERS,
  TRACKED_PROGRESS_FILE,
} from '../../core/spec-files.ts';
import { checkSpecName, kebabOf } from '../../core/spec-name.ts';
import { firstOf } from '../../core/text/first-of.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf } from './disk.ts';
import { featureFolder, formatInFolder, namedDialect } from './plan-format.ts';
import { readText } from './read-text.ts';
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
}

/** A spec that is there. */
export interface SpecFolder {
  readonly name: string;
  /** Absolute, with links resolved. */
  readonly dir: string;
  /** Relative to the repository's root, with `/`. */
  readonly path: string;
  /** How its plan is written, or would be. */
  readonly format: PlanFormat;
  /** Name of the file in it that says what was done and learned (R-FILE-3, R-PLAN-7). */
  readonly progressFile: string;
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

/** The spec whose folder has this path, relative to the repository's root. */
export function specAt(roots: SpecRoots, path: string): ResolvedSpec {
  const dir = join(roots.repository, path);
  if (isFolder(dir)) return placeOf(roots, dir);
  return problem(`There is no folder ${path}.`, 'Restore it, or name another spec.');
}

/** The problem of a spec without a plan; `undefined` if there is one (R-PARSE-6). */
export async function missingPlan(spec: SpecFolder): Promise<SpecProblem | undefined> {
  if (lstatSync(join(spec.dir, spec.format.file), { throwIfNoEntry: false }) !== undefined) return undefined;
  return problem(
    `The spec "${spec.name}" has no tasks: ${spec.path}/${spec.format.file} is missing.`,
    'Write it, with one list item with a box for each task, such as "- [ ] 1.1 Add the login form".',
  );
}

/**
 * All specs of all roots, those of other tools last, by root and then by name. What has no proper name, leads out of the
 * repository or cannot be told apart is left out; see `specProblems`.
 */
export async function listSpecs(roots: SpecRoots): Promise<readonly SpecFolder[]> {
  const found = allFolders(roots).flatMap(({ dir }) => {
    const place = placeOf(roots, dir);
    return place.ok ? [place.spec] : [];
  });
  return found.filter(({ dir }, index) => found.findIndex((other) => other.dir === dir) === index);
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
  const isInDefaultRoot = realOf(join(defaultRoot(roots), spec.name)) === spec.dir;
  const path = relative(realOf(roots.cwd) ?? roots.cwd, spec.dir)
    .split(sep)
    .join('/');
  writeAtomically(currentSpecFile(roots), `${isInDefaultRoot ? spec.name : `./${path}`}\n`);
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
  const all = [
    ...roots.specsDirs.map((root) => resolve(roots.cwd, root, name)),
    ...allFolders(roots).flatMap((folder) => (folder.name === name ? [folder.dir] : [])),
  ];
  const dirs = unlikeFolders(all);
  const [dir, other] = dirs;
  if (dir === undefined) return missingSpec(roots, name);
  if (other !== undefined) return ambiguous(roots, name, dirs);
  return placeOf(roots, dir);
}

/** The spec of a folder, or of the plan in it, that is named by its path; `undefined` for a text that is no such path. */
function specAtPath(roots: SpecRoots, operand: string): ResolvedSpec | undefined {
  const dir = resolve(roots.cwd, operand);
  const isPath = /[/\\]|\.md$/i.test(operand) && !operand.split(/[/\\]/).includes('..');
  if (!isPath || !isBelow(roots.repository, dir)) return undefined;
  if (isFolder(dir)) return placeOf(roots, dir);
  if (!existsSync(dir)) return undefined;
  if (basename(dir) === TASKS_FILE) return placeOf(roots, dirname(dir));
  const name = kebabOf(basename(dir).replace(/\.[^.]+$/, '')) || 'my-plan';
  return problem(
    `${operand} is in no folder of its own, so it cannot be run.`,
    `Move it to specs/${name}/${TASKS_FILE}; "specloop tasks" and "specloop validate" read it where it is.`,
  );
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
  const written =
    readText(currentSpecFile(roots), CURRENT_BYTES_MAX)
      ?.replace(/^\uFEFF/, '')
      .trim() ?? '';
  if (written === '') return await onlySpec(roots);
  const isPath = written.includes('/');
  const dir = isPath ? resolve(roots.cwd, written) : join(defaultRoot(roots), written);
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

/** Where none is active, the only one with a plan is meant. */
async function onlySpec(roots: SpecRoots): Promise<ResolvedSpec> {
  const [spec, ...others] = (await listSpecs(roots)).filter(({ dir, format }) => existsSync(join(dir, format.file)));
  if (spec !== undefined && others.length === 0) return { ok: true, spec, isOnly: true };
  return problem(
    'No spec was named, and none is active.',
    `Name one, or choose one with "specloop switch". ${offer(roots)}`,
  );
}

/** The folder, links resolved, and the check that it lies in the repository with plain files to write. */
function placeOf(roots: SpecRoots, dir: string): ResolvedSpec {
  const real = realOf(dir);
  const repository = realOf(roots.repository) ?? roots.repository;
  if (real === undefined || !isBelow(repository, real)) {
    return problem(
      `The spec folder ${shown(roots, dir)} leads outside the repository, to ${real ?? 'nowhere'}.`,
      'Replace the link with the folder itself, inside the repository.',
    );
  }
  const found = formatInFolder({ repository, dialect: roots.dialect }, real);
  if (!found.ok) return found;
  const { format } = found;
  const progressFile = progressFileIn(real);
  const link = [format.file, progressFile, STATE_FILE].find((file) =>
    lstatSync(join(real, file), { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  if (link !== undefined)
    return problem(
      `${shown(roots, join(dir, link))} is a symbolic link, and specloop does not write through links.`,
      'Replace it with a real file.',
    );
  const name = basename(dir);
  const context = toolContext(repository, real, format);
  return {
    ok: true,
    spec: {
      ...{ name: checkSpecName(name).ok ? name : kebabOf(name), dir: real, path: pathFrom(repository, real) },
      ...{
        format,
        progressFile,
        ...(context.length === 0 ? {} : { context }),
        ...(namedDialect(roots) === undefined ? {} : { isForced: true as const }),
      },
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
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
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
