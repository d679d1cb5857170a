import { join } from 'node:path';
import { readText } from '../adapters/store/read-text.ts';
import { listSpecs, resolveSpec, type SpecFolder } from '../adapters/store/spec-folder.ts';
import type { Host } from './host.ts';
import type { Place } from './place.ts';
import { PLAN_BYTES_MAX } from './plan-file.ts';
import { holderOf, type Running, runningOf } from './runs.ts';
import { homeOf } from './worktree/home.ts';

/** A spec in a list of all (R-PLAN-1). */
export interface ListedSpec {
  readonly name: string;
  /** Path of its folder, relative to the repository. */
  readonly path: string;
  /** Tasks in its plan, and how many of them are done; null if there is no plan that can be read. */
  readonly total: number | null;
  readonly done: number | null;
  /** Whether it is the active one. */
  readonly current: boolean;
  /** The other tree that its newest run works in; the progress is from there. */
  readonly worktree: string | null;
  readonly running: Running | null;
}

/** All specs of a place with their progress. */
export async function specsOf(place: Place, host: Pick<Host, 'env'>): Promise<readonly ListedSpec[]> {
  const active = await resolveSpec(place.roots);
  const folders = await listSpecs(place.roots);
  return await Promise.all(
    folders.map(async (spec) => {
      const { progressFrom, ...found } = await foundIn(place, spec, host);
      const current = active.ok && spec.dir === active.spec.dir;
      return { name: spec.name, path: spec.path, ...progressOf(progressFrom), current, ...found };
    }),
  );
}

async function foundIn(
  { repository, ...place }: Place,
  spec: SpecFolder,
  host: Pick<Host, 'env'>,
): Promise<Pick<ListedSpec, 'worktree' | 'running'> & { readonly progressFrom: SpecFolder }> {
  if (repository === undefined) return { worktree: null, running: null, progressFrom: spec };
  const home = await homeOf({ ...place, repository, spec }, host);
  const running = runningOf(await holderOf({ repository, spec }));
  return { worktree: home.elsewhere?.dir ?? null, running, progressFrom: home.place.spec };
}

function progressOf({ dir, format }: SpecFolder): Pick<ListedSpec, 'total' | 'done'> {
  try {
    const text = readText(join(dir, format.file), PLAN_BYTES_MAX);
    const tasks = text === undefined ? [] : format.parse(text).tasks;
    if (tasks.length > 0) return { total: tasks.length, done: tasks.filter((task) => task.checked).length };
  } catch {
    // One plan that cannot be read must not hide the others; `validate` tells why.
  }
  return { total: null, done: null };
}
