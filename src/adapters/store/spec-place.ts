import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { PlanFormat } from '../../core/plan/format.ts';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import {
  PROGRESS_FILE,
  progressFileOf,
  type SpecBooks,
  singleFileName,
  stateFileOf,
  TASKS_FILE,
  TRACKED_PROGRESS_FILE,
} from '../../core/spec-files.ts';
import { checkSpecName, kebabOf } from '../../core/spec-name.ts';
import { formatInFolder, formatOfFile, whyNoPlan } from './plan-format.ts';
import { readText } from './read-text.ts';
import { entriesIn, isBelow, pathFrom, realOf } from './spec-paths.ts';
import { allFolders, pathsOf, type SpecRoots, shown } from './spec-roots.ts';
import { toolContext } from './tool-context.ts';

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

/** What keeps a spec from being used, and what to do about it; both end with a full stop. */
export interface SpecProblem {
  readonly ok: false;
  readonly message: string;
  readonly hint: string;
}

export type ResolvedSpec =
  /** `isOnly`: no name was given, and it is the only one with a plan. */
  { readonly ok: true; readonly spec: SpecFolder; readonly isOnly?: true } | SpecProblem;

/** The folder, links resolved, and the check that it lies in the repository. */
export function placeOf(roots: SpecRoots, dir: string): ResolvedSpec {
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
    name,
    operand: isKnown ? name : shown(roots, dir),
    dir: real,
    path: pathFrom(repository, real),
    format: detected.format,
    progressFile: progressFileIn(real),
    ...(detected.isForced && { isForced: true }),
  });
}

/** A plan that is a file among others, and the check that it can be run where it is. */
export function singleFile(roots: SpecRoots, path: string): ResolvedSpec {
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
    ...layout,
    name: singleFileName(file),
    operand: shown(roots, path),
    dir,
    progressFile: progressFileOf(layout),
    ...(found.isForced && { isForced: true }),
  });
}

/** Names of files that can be a plan by themselves. */
export const MARKDOWN = /\.(?:md|markdown)$/i;

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
  return { ok: true, spec: context.length === 0 ? spec : { ...spec, context } };
}

function filesIn(folder: string): readonly string[] {
  return entriesIn(folder, (entry) => entry.isFile());
}

const FRONT_MATTER = '---\n';
/** Progress files with more bytes are not read. */
export const PROGRESS_BYTES_MAX = 16 * 1024 * 1024;

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

/** A problem of a spec; both texts end with a full stop. */
export function problem(message: string, hint: string): SpecProblem {
  return { ok: false, message, hint };
}
