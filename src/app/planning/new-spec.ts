import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { resolveSpec, type SpecFolder, switchSpec } from '../../adapters/store/spec-folder.ts';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import { choicesFor, type StatedChoices, withChoices } from '../../core/planning/choices.ts';
import { DOCUMENTS, documentsOf, FILE_OF } from '../../core/planning/steps.ts';
import { progressContext } from '../../core/progress/context.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { PLAN_FILE_GIVEN, PROGRESS_FILE, STATE_FILE } from '../../core/spec-files.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { UserError } from '../../core/user-error.ts';
import type { Place, SpecPlace } from '../place.ts';
import { archiveOf, latestPlanning, latestRun } from '../run/runs.ts';

const GOAL_BYTES_MAX = 256 * 1024;
const SUFFIX_MAX = 100;

/** A spec that is to be made. */
export interface NewSpec {
  readonly name: string;
  /** Absent where the folder holds a `plan.md`, which is the goal then. */
  readonly goal?: string | undefined;
  /** Take the next free name, as `login-2`, where this one is taken. */
  readonly suffix?: boolean;
  /** Root of the new spec; by default the first one. */
  readonly specsDir?: string | undefined;
  readonly choices?: StatedChoices;
  /** All documents are drafted without gates. */
  readonly isQuick?: boolean;
}

/** The place that a new spec will have, and what makes it. */
export interface SpecToMake {
  readonly place: SpecPlace;
  readonly goal: string;
  /** Whether its plan is there already, from a run that was cut off after it. */
  readonly hasPlan: boolean;
  /** Makes folder, progress file and state, and the spec the active one; done again it changes nothing. */
  readonly make: () => Promise<void>;
}

/**
 * Finds out where a new spec will be. Changes nothing. Throws `UserError` for a name that is none or is taken, which names what is
 * there, and without a goal (R-FILE-1, R-PLAN-1).
 */
export async function specToMake(
  place: SpecPlace | (Place & Pick<SpecPlace, 'repository'>),
  order: NewSpec,
): Promise<SpecToMake> {
  const checked = checkSpecName(order.name);
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  const spec = await freeFolder(place, order);
  const goal = order.goal?.trim() || (textOf(join(spec.dir, PLAN_FILE_GIVEN)) ?? '').trim();
  if (goal === '')
    throw new UserError(
      'The goal is missing.',
      `Give it after the name: specloop new ${order.name} "Add a login form".`,
    );
  const hasPlan = await isPlanRecorded({ ...place, spec });
  return { place: { ...place, spec }, goal, hasPlan, make: () => make({ ...place, spec }, { ...order, goal }) };
}

/** A draft that a run has not recorded yet is no plan. */
async function isPlanRecorded(place: SpecPlace): Promise<boolean> {
  if (!existsSync(join(place.spec.dir, FILE_OF.tasks))) return false;
  const state = (await latestRun(archiveOf(place)))?.state;
  return state !== undefined && (state.planning === undefined || !isUnfinished(state));
}

async function freeFolder(
  place: Place & Pick<SpecPlace, 'repository'>,
  { name, goal, suffix = false, specsDir, isQuick = false }: NewSpec,
): Promise<SpecFolder> {
  for (let n = 1; n <= SUFFIX_MAX; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    const resolved = await resolveSpec(place.roots, candidate);
    if (!resolved.ok || resolved.spec.isSingleFile) return newFolder(place, candidate, specsDir);
    const there = whatIsThere(resolved.spec, goal);
    if (there === undefined) return resolved.spec;
    if (isQuick && !suffix && (await wasQuickFor({ ...place, spec: resolved.spec }, goal))) return resolved.spec;
    if (!suffix)
      throw new UserError(
        `There is already a spec "${name}" (${resolved.spec.path}): ${there}.`,
        `Continue it with "specloop start ${name}", or pass --suffix to take the next free name.`,
      );
  }
  throw new UserError(`The names ${name} to ${name}-${SUFFIX_MAX} are all taken.`, 'Choose another name.');
}

function newFolder({ roots }: Place, name: string, specsDir: string | undefined): SpecFolder {
  const root = specsDir ?? roots.specsDirs[0] ?? 'specs';
  const dir = join(resolve(roots.cwd, root), name);
  const path = relative(roots.repository, dir).split(sep).join('/');
  if (path.startsWith('..')) throw new UserError(`${root} leads out of the repository.`, 'Name a folder inside of it.');
  if (existsSync(dir))
    throw new UserError(`${path} exists and is no folder of a spec.`, 'Move it away, or choose another name.');
  return { name, operand: name, dir, path, format: taskMarkdown, progressFile: PROGRESS_FILE };
}

/** What a spec has already that a new one would replace; `undefined` for what was only just made for the same goal. */
function whatIsThere({ dir, progressFile }: SpecFolder, goal: string | undefined): string | undefined {
  if (isQuickFor({ dir, progressFile }, goal)) return undefined;
  const documents = DOCUMENTS.map((name) => FILE_OF[name]).filter((file) => existsSync(join(dir, file)));
  if (documents.length > 0) return documents.join(', ');
  const known = progressContext(textOf(join(dir, progressFile))).goal;
  if (known !== '' && known !== goal?.trim()) return `${progressFile} with another goal`;
  const own = [PLAN_FILE_GIVEN, progressFile, STATE_FILE];
  const others = readdirSync(dir).filter((file) => !own.includes(file));
  return others.length === 0 ? undefined : others.join(', ');
}

/** Whether it is being made for this goal without gates: then the same command goes on with it (R-PLAN-3). */
function isQuickFor(
  { dir, progressFile }: Pick<SpecFolder, 'dir' | 'progressFile'>,
  goal: string | undefined,
): boolean {
  const parsed = parseStateFile(textOf(join(dir, STATE_FILE)) ?? '');
  const known = progressContext(textOf(join(dir, progressFile))).goal;
  return parsed.ok && parsed.state.quickMode === true && known !== '' && known === goalGiven({ dir }, goal);
}

/**
 * Whether it was made for this goal without gates: the same command, given again because its end was not seen, ends as it did. A
 * spec whose tasks are done has no state file.
 */
async function wasQuickFor(place: Pick<SpecPlace, 'repository' | 'spec'>, goal: string | undefined): Promise<boolean> {
  const planned = await latestPlanning(archiveOf(place));
  if (planned === undefined || planned.rollback !== undefined) return false;
  return planned.planning.isQuick === true && planned.planning.goal === goalGiven(place.spec, goal);
}

function goalGiven({ dir }: Pick<SpecFolder, 'dir'>, goal: string | undefined): string | undefined {
  return goal?.trim() || textOf(join(dir, PLAN_FILE_GIVEN))?.trim();
}

async function make(
  { roots, spec, loaded }: SpecPlace,
  { goal, choices: stated = {}, isQuick = false }: { readonly goal: string } & Pick<NewSpec, 'choices' | 'isQuick'>,
): Promise<void> {
  mkdirSync(spec.dir, { recursive: true });
  const progressFile = join(spec.dir, spec.progressFile);
  const before =
    textOf(progressFile) ?? `# ${spec.name}\n\n## Original Goal\n${goal}\n\n## Completed Tasks\n\n## Learnings\n`;
  const choices = choicesFor(goal, before, stated);
  writeAtomically(progressFile, withChoices(before, choices));
  const stateFile = join(spec.dir, STATE_FILE);
  if (!existsSync(stateFile)) {
    const state = {
      source: 'spec',
      name: spec.name,
      basePath: `./${spec.path}`,
      phase: documentsOf(choices.goalClass, choices.skipped)[0],
      awaitingApproval: false,
      commitSpec: loaded.settings.commitSpec,
      granularity: choices.tasksSize,
      ...(isQuick && { quickMode: true }),
    };
    writeAtomically(stateFile, `${JSON.stringify(state, undefined, 2)}\n`);
  }
  await switchSpec(roots, spec);
}

function textOf(path: string): string | undefined {
  return readText(path, GOAL_BYTES_MAX);
}
