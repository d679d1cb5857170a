import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { planPathOf, TASKS_FILE } from '../../core/spec-files.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { writeAtomically } from './atomic-write.ts';
import { formatInFolder } from './plan-format.ts';
import { ifThere, isBelow, isFile, isFolder, pathFrom, realOf } from './spec-paths.ts';
import {
  MARKDOWN,
  placeOf,
  problem,
  type ResolvedSpec,
  type SpecFolder,
  type SpecProblem,
  singleFile,
} from './spec-place.ts';
import {
  allFolders,
  currentSpec,
  currentSpecFile,
  defaultRoot,
  foldersIn,
  offer,
  pathsOf,
  rootsOf,
  type SpecRoots,
  shown,
  singleFilesIn,
} from './spec-roots.ts';
import { storageFault } from './storage-fault.ts';

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

/** A folder with a plan that cannot be run, and why. */
export interface SpecInDoubt {
  readonly name: string;
  readonly path: string;
  readonly message: string;
}

/** The folders with a plan whose name is none of a spec, or whose dialect cannot be told (R-FILE-1, R-DIA-3). */
export async function specProblems(roots: SpecRoots): Promise<readonly SpecInDoubt[]> {
  const pathOf = (dir: string) => pathFrom(roots.repository, dir);
  const misnamed = rootsOf(roots).flatMap(({ root }) =>
    foldersIn(root).flatMap((name) => {
      const [dir, checked] = [join(root, name), checkSpecName(name)];
      if (checked.ok || !/^[^._]/.test(name) || !existsSync(join(dir, TASKS_FILE))) return [];
      return [{ name, path: pathOf(dir), message: `${checked.message} ${checked.hint}` }];
    }),
  );
  return [
    ...misnamed,
    ...allFolders(roots).flatMap(({ dir, name }) => {
      const found = isBelow(roots.repository, dir) ? formatInFolder(roots, dir) : undefined;
      return found?.ok === false ? [{ name, path: pathOf(dir), message: `${found.message} ${found.hint}` }] : [];
    }),
  ];
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

function namedSpec(roots: SpecRoots, name: string): ResolvedSpec {
  const checked = checkSpecName(name);
  if (!checked.ok) return specAtPath(roots, name) ?? checked;
  const [path, ...others] = pathsOf(roots, name);
  if (path === undefined) return missingSpec(roots, name);
  if (others.length > 0) return ambiguous(roots, name, [path, ...others]);
  return isFile(path) ? singleFile(roots, path) : placeOf(roots, path);
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

function ambiguous(roots: SpecRoots, name: string, dirs: readonly string[]): SpecProblem {
  const paths = dirs.map((dir) => shown(roots, dir)).join(' and ');
  return problem(
    `The name "${name}" is ambiguous: it matches ${paths}.`,
    `Give the path of the one you mean instead of the name, or write it to ${shown(roots, currentSpecFile(roots))}.`,
  );
}
