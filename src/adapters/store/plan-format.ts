import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { DIALECTS, type Dialect, type DialectChoice } from '../../core/plan/data/dialect.ts';
import { type Detected, detectByText, detectInRoot, dialectOfPlace } from '../../core/plan/dialects/detect.ts';
import { formatOf } from '../../core/plan/dialects/formats.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import { chosenSchema, trackedFiles } from '../../core/plan/openspec/tracked-files.ts';
import {
  FEATURE_FILE,
  SPEC_KIT_NEIGHBOURS,
  STATE_FILE,
  stateFileOf,
  TASKS_FILE,
  TOOL_FOLDERS,
} from '../../core/spec-files.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { readText } from './read-text.ts';

/** What decides how a plan is written. */
export interface DialectPlace {
  /** Absolute root of the repository. */
  readonly repository: string;
  /** The dialect that a person named, which decides alone; without one it is found (R-DIA-3). */
  readonly dialect?: DialectChoice | undefined;
  /** It was named for this command, not in a file of settings: then it also wins over what a run goes on in. */
  readonly isDialectOfCommand?: boolean | undefined;
}

/** The format of a plan, or why none can be chosen; both sentences end with a full stop. */
export type FoundFormat =
  | {
      readonly ok: true;
      readonly format: PlanFormat /** A person named the dialect, now or for the run that goes on. */;
      readonly isForced?: true;
    }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** A larger plan is not read (R-PARSE-6). */
export const PLAN_BYTES_MAX = 16 * 1024 * 1024;
const FEATURE_BYTES_MAX = 64 * 1024;
/** The folder of a change, below the folder of OpenSpec. */
const OPENSPEC_CHANGE = /^((?:.*\/)?openspec)\/changes\//;
const CHANGE_FILE = '.openspec.yaml';
const PROJECT_FILE = 'config.yaml';

/** The dialect that a person named, if one did: for this command, for the run whose state file this is, or for all plans. */
function namedDialect({ dialect, isDialectOfCommand }: DialectPlace, stateFile: string): Dialect | undefined {
  const named = dialect === 'auto' ? undefined : dialect;
  return isDialectOfCommand && named !== undefined ? named : (dialectOfRun(stateFile) ?? named);
}

/** The dialect that the run under way was started with, where it was named (R-DIA-3). */
function dialectOfRun(stateFile: string): Dialect | undefined {
  const parsed = parseStateFile(textOf(stateFile) || '{}');
  return parsed.ok ? DIALECTS.find((name) => name === parsed.state.dialect) : undefined;
}

/** How the plan in a folder is written, by its place, its neighbours, and what it says (R-DIA-3). */
export function formatInFolder(place: DialectPlace, dir: string): FoundFormat {
  const path = `${pathFrom(place.repository, dir)}/`;
  const named = namedDialect(place, join(dir, STATE_FILE));
  const elsewhere = named === undefined || named === 'openspec' ? tracksElsewhere(place.repository, dir) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  if (named !== undefined) return { ok: true, format: formatOf(named), isForced: true };
  const decided = dialectOfPlace(path) ?? (dir === featureFolder(place.repository) ? 'spec-kit' : undefined);
  if (decided !== undefined) return { ok: true, format: formatOf(decided) };
  const detected = detectInRoot(
    (file) => existsSync(join(dir, file)),
    () => textOf(join(dir, TASKS_FILE)),
  );
  return chosen(detected, { file: TASKS_FILE, shown: `${path}${TASKS_FILE}` });
}

/** How a file that is named by its path is written; `text` is what it holds. A file that is no plan is refused. */
export function formatOfFile(place: DialectPlace, path: string, text: string): FoundFormat {
  const shown = pathFrom(place.repository, path);
  const why = whyNoPlan(place.repository, shown);
  if (why !== undefined) return { ok: false, ...why };
  const name = shown.slice(shown.lastIndexOf('/') + 1);
  const stateFile = stateFileOf({ format: { file: name }, isSingleFile: true });
  const named = namedDialect(place, join(path, '..', stateFile));
  const isOfChange = name === TASKS_FILE && (named === undefined || named === 'openspec');
  const elsewhere = isOfChange ? tracksElsewhere(place.repository, join(path, '..')) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  if (named !== undefined) return { ok: true, format: formatOf(named, name), isForced: true };
  const byPlace = dialectOfPlace(shown);
  if (byPlace !== undefined) return { ok: true, format: formatOf(byPlace, name) };
  const isInRoot = name === TASKS_FILE && /(?:^|\/)specs\/[^/]+\/[^/]+$/.test(shown);
  if (isInRoot) return formatInFolder(place, join(path, '..'));
  return chosen(detectByText(text), { file: name, shown });
}

/** A change of OpenSpec whose schema tracks its tasks in other files is not read in part (R-DIA-3). */
function tracksElsewhere(repository: string, dir: string): FoundFormat | undefined {
  const path = `${pathFrom(repository, dir)}/`;
  const [, folder] = OPENSPEC_CHANGE.exec(path) ?? [];
  if (folder === undefined) return undefined;
  const root = join(repository, folder);
  const schema = chosenSchema(textOf(join(dir, CHANGE_FILE))) ?? chosenSchema(textOf(join(root, PROJECT_FILE)));
  if (schema === undefined || !/^[\w.-]+$/.test(schema)) return undefined;
  const file = join(root, 'schemas', schema, 'schema.yaml');
  const tracked = trackedFiles(textOf(file));
  if (tracked === undefined || tracked === TASKS_FILE) return undefined;
  return {
    ok: false,
    message: `The schema "${schema}" of ${path.slice(0, -1)} tracks tasks in ${tracked}, and only ${TASKS_FILE} is read.`,
    hint: `Move the tasks to ${TASKS_FILE}, and set "tracks: ${TASKS_FILE}" in ${pathFrom(repository, file)}.`,
  };
}

/** Absolute folder of the feature that spec-kit is at, if it is anywhere else than in a root. */
export function featureFolder(repository: string): string | undefined {
  try {
    const value: unknown = JSON.parse(readText(join(repository, FEATURE_FILE), FEATURE_BYTES_MAX) ?? '{}');
    const folder =
      typeof value === 'object' && value !== null && 'feature_directory' in value && value.feature_directory;
    return typeof folder === 'string' && folder !== '' ? join(repository, folder) : undefined;
  } catch {
    return undefined; // A file that cannot be read names no folder.
  }
}

function chosen(detected: Detected, { file, shown }: { readonly file: string; readonly shown: string }): FoundFormat {
  if (detected.ok) return { ok: true, format: formatOf(detected.dialect, file) };
  const names = detected.dialects.join(' and ');
  return {
    ok: false,
    message: `${shown} can be read as ${names}.`,
    hint: `Name the right one: --dialect ${detected.dialects[0]}, or "dialect" in the settings file.`,
  };
}

/** Why a Markdown file of a tool is not a plan (R-DIA-3); `path` is relative to the repository's root. */
export function whyNoPlan(
  repository: string,
  path: string,
): { readonly message: string; readonly hint: string } | undefined {
  const feature = /^(.*\/)checklists\/[^/]+$/.exec(path)?.[1];
  const isOfFeature = (folder: string) =>
    [...SPEC_KIT_NEIGHBOURS, TASKS_FILE].some((file) => existsSync(join(repository, folder, file)));
  if (feature !== undefined && isOfFeature(feature))
    return {
      message: `${path} is a checklist of spec-kit about the text of the spec, not a plan.`,
      hint: `It is for people; run ${feature}${TASKS_FILE} instead.`,
    };
  const tool = TOOL_FOLDERS.find(({ noPlan }) => noPlan.test(path));
  if (tool === undefined) return undefined;
  return {
    message: `${path} belongs to ${tool.name} and is not a plan.`,
    hint: `Plans of ${tool.name} are in ${tool.root}.`,
  };
}

function textOf(path: string): string {
  try {
    return readText(path, PLAN_BYTES_MAX) ?? '';
  } catch {
    return ''; // The reader of the plan says what is wrong with it.
  }
}

function pathFrom(repository: string, path: string): string {
  return relative(repository, path).split(sep).join('/');
}
