import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { resolveSpec, switchSpec } from '../../adapters/store/spec-folder.ts';
import { folderToMake, PROGRESS_BYTES_MAX, type SpecFolder } from '../../adapters/store/spec-place.ts';
import { choicesFor, type StatedChoices, withChoices } from '../../core/planning/choices.ts';
import { DOCUMENTS, documentsOf, FILE_OF } from '../../core/planning/steps.ts';
import { progressContext } from '../../core/progress/context.ts';
import { goalText } from '../../core/progress/goal-text.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { PLAN_FILE_GIVEN, STATE_FILE } from '../../core/spec-files.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { Place, SpecPlace } from '../place.ts';
import { archiveOf, latestPlanning, latestRun } from '../run/runs.ts';
import { specsElsewhere } from '../worktree/elsewhere.ts';
import { planningHome } from '../worktree/home.ts';

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

/** The place that a new spec will have in this tree, and what makes it. */
export interface SpecToMake {
  readonly place: SpecPlace;
  readonly goal: string;
  /** Whether its plan is there already, from a run that was cut off after it. */
  readonly hasPlan: boolean;
  /** Makes folder, progress file and state, and the spec the active one, in this tree or another one; done again it changes nothing. */
  readonly make: (place: SpecPlace) => Promise<void>;
}

/**
 * Finds out where a new spec will be. Changes nothing. Throws `UserError` for a name that is none or is taken, which names what is
 * there, and without a goal (R-FILE-1, R-PLAN-1).
 */
export async function specToMake(
  place: Place & Pick<SpecPlace, 'repository'>,
  host: Pick<Host, 'env'>,
  order: NewSpec,
): Promise<SpecToMake> {
  const checked = checkSpecName(order.name);
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  const start = await freePlace(place, host, order);
  const { place: found } = await planningHome(start, host);
  const goal = goalGiven(found.spec, order.goal);
  if (goal === '')
    throw new UserError(
      'The goal is missing.',
      `Give it after the name: specloop new ${order.name} "Add a login form".`,
    );
  const hasPlan = await isPlanRecorded(found);
  return { place: start, goal, hasPlan, make: (to) => make(to, { ...order, goal }) };
}

/** A draft that a run has not recorded yet is no plan. */
async function isPlanRecorded(place: SpecPlace): Promise<boolean> {
  if (!existsSync(join(place.spec.dir, FILE_OF.tasks))) return false;
  const state = (await latestRun(archiveOf(place)))?.state;
  return state !== undefined && (state.planning === undefined || !isUnfinished(state));
}

/** The place of a new spec, or of one that was only just made for the same goal, in this tree or another one. */
async function freePlace(
  place: Place & Pick<SpecPlace, 'repository'>,
  host: Pick<Host, 'env'>,
  { name, goal, suffix = false, specsDir, isQuick = false }: NewSpec,
): Promise<SpecPlace> {
  for (let n = 1; n <= SUFFIX_MAX; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    const start = await placeCalled(place, host, { name: candidate, specsDir });
    if (start === undefined) return { ...place, spec: newFolder(place, candidate, specsDir) };
    const home = await planningHome(start, host);
    const there = whatIsThere(home.place.spec, goal);
    if (there === undefined) return start;
    if (isQuick && !suffix && (await wasQuickFor(home.place, goal))) return start;
    if (!suffix && (await isUnderWayFor(home.place, goal))) return start;
    const where = home.elsewhere === undefined ? '' : ` in the worktree ${home.elsewhere.dir}`;
    if (!suffix)
      throw new UserError(
        `There is already a spec "${name}" (${start.spec.path}${where}): ${there}.`,
        `Continue it with "specloop start ${commandLine(start.spec.operand)}", or pass --suffix to take the next free name.`,
      );
  }
  throw new UserError(`The names ${name} to ${name}-${SUFFIX_MAX} are all taken.`, 'Choose another name.');
}

/** The spec of a name that has a folder, in this tree or another one, else the folder of this name in the root of the new spec. */
async function placeCalled(
  place: Place & Pick<SpecPlace, 'repository'>,
  host: Pick<Host, 'env'>,
  { name, specsDir }: Pick<NewSpec, 'name' | 'specsDir'>,
): Promise<SpecPlace | undefined> {
  const known = await resolveSpec(place.roots, name);
  const resolved = known.ok || !specsDir ? known : await resolveSpec(place.roots, `${specsDir}/${name}`);
  if (resolved.ok) return resolved.spec.isSingleFile ? undefined : { ...place, spec: resolved.spec };
  return (await specsElsewhere(place, host, name))[0];
}

function newFolder({ roots }: Place, name: string, specsDir: string | undefined): SpecFolder {
  const root = specsDir ?? roots.specsDirs[0] ?? 'specs';
  const dir = join(resolve(roots.cwd, root), name);
  const path = relative(roots.repository, dir).split(sep).join('/');
  if (path.startsWith('..')) throw new UserError(`${root} leads out of the repository.`, 'Name a folder inside of it.');
  if (existsSync(dir))
    throw new UserError(`${path} exists and is no folder of a spec.`, 'Move it away, or choose another name.');
  return folderToMake(roots, path);
}

/** What a spec has already that a new one would replace; `undefined` for what was only just made for the same goal. */
function whatIsThere({ dir, progressFile }: SpecFolder, goal: string | undefined): string | undefined {
  if (isQuickFor({ dir, progressFile }, goal)) return undefined;
  const documents = DOCUMENTS.map((name) => FILE_OF[name]).filter((file) => existsSync(join(dir, file)));
  if (documents.length > 0) return documents.join(', ');
  const known = progressContext(readText(join(dir, progressFile), PROGRESS_BYTES_MAX)).goal;
  if (known !== '' && known !== goalGiven({ dir }, goal)) return `${progressFile} with another goal`;
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
  const known = progressContext(readText(join(dir, progressFile), PROGRESS_BYTES_MAX)).goal;
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

/** Whether the run that drafts its first documents for this goal was cut off: the same command goes on with it (R-PLAN-1). */
async function isUnderWayFor(
  place: Pick<SpecPlace, 'repository' | 'spec'>,
  goal: string | undefined,
): Promise<boolean> {
  const state = (await latestRun(archiveOf(place)))?.state;
  if (state?.planning === undefined || !isUnfinished(state)) return false;
  return state.planning.goal === goalGiven(place.spec, goal);
}

/** A goal that is given for a spec that is there is its own, or nothing would come of it. Throws `UserError` (R-PLAN-1). */
export function requireSameGoal({ spec: { dir, progressFile, name } }: Pick<SpecPlace, 'spec'>, given: string): void {
  const known = progressContext(readText(join(dir, progressFile), PROGRESS_BYTES_MAX)).goal;
  if (known === '' || ['', known].includes(goalText(given))) return;
  throw new UserError(
    `The spec "${name}" has another goal already.`,
    'Leave the goal out to continue it, or pass --suffix to make a new spec under the next free name.',
  );
}

/** The goal of a person's words, else of the sketch that is there; empty for none. */
function goalGiven({ dir }: Pick<SpecFolder, 'dir'>, goal = ''): string {
  return goalText(goal) || goalText(textOf(join(dir, PLAN_FILE_GIVEN)) ?? '');
}

async function make(
  { roots, spec, loaded }: SpecPlace,
  { goal, choices: stated = {}, isQuick = false }: { readonly goal: string } & Pick<NewSpec, 'choices' | 'isQuick'>,
): Promise<void> {
  mkdirSync(spec.dir, { recursive: true });
  const progressFile = join(spec.dir, spec.progressFile);
  const before =
    readText(progressFile, PROGRESS_BYTES_MAX) ??
    `# ${spec.name}\n\n## Original Goal\n${goal}\n\n## Completed Tasks\n\n## Learnings\n`;
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
