import { join } from 'node:path';
import { PLAN_BYTES_MAX } from '../../adapters/store/plan-format.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { listSpecs, resolveSpec, type SpecInDoubt, specProblems } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import type { Dialect } from '../../core/plan/data/dialect.ts';
import { specKey, stateFileOf } from '../../core/spec-files.ts';
import { parseStateFile } from '../../core/state-file/parse.ts';
import { type Planning, planningOf } from '../../core/view/planning.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { holderOf, type Running, runningOf } from '../run/runs.ts';
import { specsElsewhere } from '../worktree/elsewhere.ts';
import { homeOf } from '../worktree/home.ts';

const STATE_BYTES_MAX = 4 * 1024 * 1024;

/** A spec in a list of all (R-PLAN-1). */
export interface ListedSpec {
  readonly name: string;
  /** Path of its folder, or of its plan where that is a single file, relative to the repository. */
  readonly path: string;
  /** How its plan is written; null where that cannot be told (R-DIA-3). */
  readonly dialect: Dialect | null;
  /** The dialect was named by a person. */
  readonly isDialectForced: boolean;
  /** Why it cannot be run by its name, if so. */
  readonly problem: string | null;
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
  const { repository } = place;
  const elsewhere = repository === undefined ? [] : await specsElsewhere({ ...place, repository }, host);
  const folders = [...(await listSpecs(place.roots)), ...elsewhere.map(({ spec }) => spec)];
  const specs = await Promise.all(
    folders.map(async (spec) => {
      const { progressFrom, ...found } = await foundIn(place, spec, host);
      const current = active.ok && spec.dir === active.spec.dir;
      const dialect = { dialect: spec.format.dialect, isDialectForced: spec.isForced === true, problem: null };
      return { name: spec.name, path: specKey(spec), ...dialect, ...progressOf(progressFrom), current, ...found };
    }),
  );
  return [...specs, ...(await specProblems(place.roots)).map(inDoubt)];
}

/** A folder with a plan that no command can be given the name of. */
function inDoubt({ name, path, message }: SpecInDoubt): ListedSpec {
  return {
    ...{ name, path, dialect: null, isDialectForced: false, problem: message, total: null, done: null },
    ...{ ...planningOf({}, []), current: false, worktree: null, running: null },
  };
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

function progressOf(spec: SpecFolder): Planning & Pick<ListedSpec, 'total' | 'done'> {
  const { dir, format } = spec;
  const tasks = format.parse(readable(join(dir, format.file), PLAN_BYTES_MAX)).tasks;
  const parsed = parseStateFile(readable(join(dir, stateFileOf(spec)), STATE_BYTES_MAX));
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
