import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readText } from '../adapters/store/read-text.ts';
import { missingPlan, type SpecFolder } from '../adapters/store/spec-folder.ts';
import type { Settings } from '../config/schema.ts';
import { workdirSentence } from '../core/plan/workdir.ts';
import { checkSpecName } from '../core/spec-name.ts';
import { UserError } from '../core/user-error.ts';
import type { Call } from './command.ts';
import type { Place } from './place.ts';

/** A file of tasks that is to be looked at. */
export interface PlanFile {
  /** As people are told it: as it was given, or relative to the repository. */
  readonly path: string;
  /** What is to be typed for it in a further command. */
  readonly operand: string;
  readonly text: string;
  /** Where agents and commands run, as a sentence, if that has to be told; absent too for a file that is no spec's plan. */
  readonly runsIn?: string;
  /** The settings that hold for it; absent for a file that is no spec's plan. */
  readonly settings?: Settings;
}

/** A larger plan is not read (R-PARSE-6). */
export const PLAN_BYTES_MAX = 16 * 1024 * 1024;

/**
 * The file of tasks that the operand `SPEC|FILE` means: the plan of a spec if it is a spec's name or absent, else a
 * file, which need not be in a repository. Throws `UserError` if there is none or it is no text (R-PARSE-6).
 */
export async function readPlanFile(call: Call): Promise<PlanFile> {
  const [operand] = call.operands;
  if (operand === undefined || checkSpecName(operand).ok) {
    const place = await specToRead(call, operand);
    return { ...(await planOf(place.spec)), ...(await runsInOf(place)), settings: place.loaded.settings };
  }
  return { path: operand, operand, text: fileText(call, operand) };
}

/** The spec where its newest run works with it; another tree is named on stderr. A plain file needs none of this. */
async function specToRead(call: Call, name: string | undefined): Promise<Place & { readonly spec: SpecFolder }> {
  const { findPlace, specIn } = await import('./place.ts');
  const { elsewhereLines, homeOf } = await import('./worktree/home.ts');
  const place = await findPlace(call);
  const spec = await specIn(place, call, name);
  const { repository } = place;
  if (repository === undefined) return { ...place, spec };
  const home = await homeOf({ ...place, repository, spec }, call);
  for (const line of elsewhereLines(home)) call.stderr.write(`${line}:\n`);
  return home.place;
}

async function runsInOf({ repository, ...place }: Place & { readonly spec: SpecFolder }) {
  if (repository === undefined) return {};
  const { workdirOf } = await import('./implement/workdir.ts');
  const sentence = workdirSentence(place.spec.path, workdirOf({ ...place, repository }));
  return sentence === undefined ? {} : { runsIn: sentence };
}

/** The plan of a spec. Throws `UserError` if it is missing or no text. */
export async function planOf(spec: SpecFolder): Promise<PlanFile> {
  const missing = await missingPlan(spec);
  const text = missing === undefined ? readText(join(spec.dir, 'tasks.md'), PLAN_BYTES_MAX) : undefined;
  if (text === undefined)
    throw new UserError(missing?.message ?? `${spec.path}/tasks.md is gone.`, missing?.hint ?? 'Put it back.');
  return { path: `${spec.path}/tasks.md`, operand: spec.name, text };
}

function fileText({ cwd }: Call, operand: string): string {
  const path = resolve(cwd, operand);
  const found = operand === '' ? undefined : statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new UserError(`There is no file "${operand}".`, 'Name a spec, or the path of a file with tasks.');
  if (found.isDirectory())
    throw new UserError(`${operand} is a folder.`, `Name the file in it: ${join(operand, 'tasks.md')}.`);
  const text = readText(path, PLAN_BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${operand}".`, 'Name a file that exists.');
  return text;
}
