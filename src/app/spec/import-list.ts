import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { writeAtomically } from '../../adapters/store/atomic-write.ts';
import { PLAN_BYTES_MAX } from '../../adapters/store/plan-format.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs } from '../../adapters/store/spec-folder.ts';
import type { ImportedList } from '../../core/import/imported.ts';
import { readForeignList } from '../../core/import/read.ts';
import { writePlan } from '../../core/import/write-plan.ts';
import { DESIGN_FILE, REQUIREMENTS_FILE, TASKS_FILE } from '../../core/spec-files.ts';
import { checkSpecName, kebabOf } from '../../core/spec-name.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import { findPlace, inRepository } from '../place.ts';

/** What an import made (R-DIA-7). */
export interface Imported {
  readonly spec: string;
  /** Its folder, relative to the repository's root. */
  readonly path: string;
  readonly source: ImportedList['kind'];
  /** How many tasks the plan has. */
  readonly tasks: number;
  /** What is no task of the plan, and why. */
  readonly skipped: ImportedList['skipped'];
  /** Fields and sections that went nowhere. */
  readonly dropped: readonly string[];
}

/** What is imported, and where to. */
export interface ImportOrder {
  readonly file: string;
  /** Name of the spec; found from the list where it is absent. */
  readonly to?: string | undefined;
  /** Which list of several in the file. */
  readonly tag?: string | undefined;
}

/** Makes a spec of a foreign task list. Nothing that is there is overwritten. Throws `UserError` for what cannot be imported. */
export async function importList(host: Host, { file, to, tag }: ImportOrder): Promise<Imported> {
  const place = await findPlace(host);
  const { root } = inRepository(place, host);
  const path = resolve(host.cwd, file);
  const text = readText(path, PLAN_BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${file}".`, 'Name a file that exists.');
  const reading = readForeignList(text, { path: relative(root, path).split(sep).join('/'), tag });
  if (!reading.ok) throw new UserError(reading.message, reading.hint);
  const { list } = reading;
  if (list.units.length === 0) throw new UserError(`${file} holds no task.`, 'There is nothing to import.');
  const plan = writePlan(list);
  if (!plan.ok) throw new UserError(plan.message, plan.hint);
  const spec = nameOf(list, to);
  const dir = resolve(host.cwd, place.roots.specsDirs[0] ?? 'specs', spec);
  await requireFree(dir, { spec, place, root });
  mkdirSync(dir, { recursive: true });
  if (list.requirements !== undefined) writeAtomically(join(dir, REQUIREMENTS_FILE), list.requirements);
  if (list.design !== undefined) writeAtomically(join(dir, DESIGN_FILE), list.design);
  writeAtomically(join(dir, TASKS_FILE), plan.text);
  const { kind: source, skipped } = list;
  return { spec, path: shown(root, dir), source, tasks: plan.tasks, skipped, dropped: plan.dropped };
}

function nameOf({ kind, name = '' }: ImportedList, to: string | undefined): string {
  const found = to ?? kebabOf(name);
  if (to === undefined && (kind === 'kiro' || found === ''))
    throw new UserError('The new spec has no name.', 'Give it one with --to NAME.');
  const checked = checkSpecName(found);
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  return found;
}

async function requireFree(
  dir: string,
  {
    spec,
    place,
    root,
  }: { readonly spec: string; readonly place: Awaited<ReturnType<typeof findPlace>>; readonly root: string },
): Promise<void> {
  const taken = (await listSpecs(place.roots)).find(({ name }) => name === spec)?.path;
  const isFull = existsSync(dir) && readdirSync(dir).length > 0;
  if (taken === undefined && !isFull) return;
  throw new UserError(
    `There is ${taken ?? shown(root, dir)} already, which is not overwritten.`,
    `Choose another name: --to ${basename(dir)}-2.`,
  );
}

function shown(root: string, dir: string): string {
  return relative(root, dir).split(sep).join('/');
}
