import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type DialectPlace, formatOfFile, PLAN_BYTES_MAX } from '../../adapters/store/plan-format.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { repositoryAbove } from '../../adapters/store/repository-above.ts';
import { missingPlan } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { isOfCommand } from '../../config/origin.ts';
import type { Settings } from '../../config/schema.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { workdirSentence } from '../../core/plan/data/workdir.ts';
import type { PlanFormat } from '../../core/plan/format.ts';
import { planPathOf, TASKS_FILE } from '../../core/spec-files.ts';
import { checkSpecName } from '../../core/spec-name.ts';
import { UserError } from '../../core/user-error.ts';
import { homeFolder } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';

/** A file of tasks that is to be looked at. */
export interface PlanFile {
  /** As people are told it: as it was given, or relative to the repository. */
  readonly path: string;
  /** What is to be typed for it in a further command. */
  readonly operand: string;
  readonly format: PlanFormat;
  readonly plan: Plan;
  /** A person named the dialect (R-DIA-3). */
  readonly isForced?: boolean;
  /** Where agents and commands run, as a sentence, if that has to be told; absent too for a file that is no spec's plan. */
  readonly runsIn?: string;
  /** The settings that hold for it; absent for a file that is no spec's plan. */
  readonly settings?: Settings;
}

/**
 * The file of tasks that the operand `SPEC|FILE` means: the plan of a spec if it is a spec's name or absent, else a
 * file, which need not be in a repository. Throws `UserError` if there is none or it is no text (R-PARSE-6).
 */
export async function readPlanFile(host: Host, operand?: string): Promise<PlanFile> {
  if (operand === undefined || checkSpecName(operand).ok) {
    return await planInPlace(await specToRead(host, operand));
  }
  const folder = resolve(host.cwd, operand);
  if (isSpecFolder(folder)) return await planInPlace(await specToRead(host, operand));
  const { path, text } = fileText(host, operand);
  const place = await placeOfFile(host, dirname(path));
  const found = formatOfFile(place, path, text);
  if (!found.ok) throw new UserError(found.message, found.hint);
  const { format } = found;
  return { path: operand, operand, format, plan: format.parse(text), isForced: found.isForced === true };
}

function isSpecFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true && existsSync(join(path, TASKS_FILE));
}

/** The repository and the settings around a file. It needs neither, and no settings that make sense. */
async function placeOfFile({ cwd, env, flags }: Host, dir: string): Promise<DialectPlace> {
  const repository = repositoryAbove(realpathSync.native(dir))?.root ?? cwd;
  const { loadSettings } = await import('../../config/load.ts');
  const load = async (root: string) =>
    await loadSettings({ root, env: { ...env, HOME: homeFolder(env) }, ...(flags && { flags }) });
  const loaded = await load(repository).catch(async (error) => {
    if (flags !== undefined) throw error;
    return undefined;
  });
  const { settings, origins } = loaded ?? {};
  return { repository, dialect: settings?.dialect, isDialectOfCommand: isOfCommand(origins?.get('dialect')) };
}

/** The plan of a spec, with what holds where the spec is. Throws `UserError` if it is missing or no text. */
export async function planInPlace(place: Place & { readonly spec: SpecFolder }): Promise<PlanFile> {
  return { ...(await planOf(place.spec)), ...(await runsInOf(place)), settings: place.loaded.settings };
}

/** The spec where its newest run works with it; another tree is named by a notice. A plain file needs none of this. */
export async function specToRead(host: Host, name?: string): Promise<Place & { readonly spec: SpecFolder }> {
  const { findPlace, specIn } = await import('../place.ts');
  const { knownSpec } = await import('../find-spec.ts');
  const { homeOf, notifyElsewhere } = await import('../worktree/home.ts');
  const place = await findPlace(host);
  if (place.repository === undefined) return { ...place, spec: await specIn(place, host, name) };
  const home = await homeOf(await knownSpec(place, host, name), host);
  notifyElsewhere(home, host);
  return home.place;
}

async function runsInOf({ repository, ...place }: Place & { readonly spec: SpecFolder }) {
  if (repository === undefined) return {};
  const { workdirOf } = await import('../shell/workdir.ts');
  const sentence = workdirSentence(place.spec.path, workdirOf({ ...place, repository }));
  return sentence === undefined ? {} : { runsIn: sentence };
}

/** What is wrong with a file without a task: it is never taken for one where all is done (R-PARSE-6). */
export function noTask({ path, format, plan: { text } }: PlanFile): UserError {
  const reading = format.read(text);
  const hint = reading.ok ? 'Run the command again.' : reading.problem.hint;
  return new UserError(`${path} ${text.trim() === '' ? 'is empty' : 'holds no task'}.`, hint);
}

/** The plan of a spec. Throws `UserError` if it is missing or no text. */
export async function planOf(spec: SpecFolder): Promise<PlanFile> {
  const { format } = spec;
  const path = planPathOf(spec);
  const missing = await missingPlan(spec);
  const text = missing === undefined ? readText(join(spec.dir, format.file), PLAN_BYTES_MAX) : undefined;
  if (text === undefined) throw new UserError(missing?.message ?? `${path} is gone.`, missing?.hint ?? 'Put it back.');
  return { path, operand: spec.operand, format, plan: format.parse(text), isForced: spec.isForced === true };
}

function fileText({ cwd }: Host, operand: string): { readonly path: string; readonly text: string } {
  const path = resolve(cwd, operand);
  const found = operand === '' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new UserError(`There is no file "${operand}".`, 'Name a spec, or the path of a file with tasks.');
  if (found.isDirectory())
    throw new UserError(`${operand} is a folder.`, `Name the file in it: ${join(operand, TASKS_FILE)}.`);
  const text = readText(path, PLAN_BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${operand}".`, 'Name a file that exists.');
  return { path, text };
}
