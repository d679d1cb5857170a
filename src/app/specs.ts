import { join } from 'node:path';
import { readText } from '../adapters/store/read-text.ts';
import { listSpecs, resolveSpec, type SpecFolder } from '../adapters/store/spec-folder.ts';
import { STATE_FILE } from '../core/spec-files.ts';
import { parseStateFile } from '../core/state-file/parse.ts';
import { type Planning, planningOf } from '../core/view/planning.ts';
import type { Host } from './host.ts';
import type { Place } from './place.ts';
import { PLAN_BYTES_MAX } from './plan-file.ts';
import { holderOf, type Running, runningOf } from './runs.ts';
import { homeOf } from './worktree/home.ts';

const STATE_BYTES_MAX = 4 * 1024 * 1024;

/** A spec in a list of all (R-PLAN-1). */
export interface ListedSpec {
  readonly name: string;
  /** Path of its folder, relative to the repository. */
  readonly path: string;
  /** Tasks in its plan, and how many of them are done; null if there is no plan that can be read. */
  readonly total: number | null;
  readonly done: number | null;
  readonly phase: string;
  /** The phase whose result waits for a person's approval. */
  readonly gate: string | null;
  /** The epic that it is a part of. */
  readonly epic: string | null;
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

function progressOf({ dir, format }: SpecFolder): Planning & Pick<ListedSpec, 'total' | 'done'> {
  const tasks = format.parse(readable(join(dir, format.file), PLAN_BYTES_MAX)).tasks;
  const parsed = parseStateFile(readable(join(dir, STATE_FILE), STATE_BYTES_MAX));
  const planning = planningOf(parsed.ok ? parsed.state : {}, tasks);
  if (tasks.length === 0) return { total: null, done: null, ...planning };
  return { total: tasks.length, done: tasks.filter((task) => task.checked).length, ...planning };
}

/** One file that cannot be read must not hide the other specs; `validate` and `status` tell why. */
function readable(path: string, bytesMax: number): string {
  try {
    return readText(path, bytesMax) ?? '';
  } catch {
    return '';
  }
}
