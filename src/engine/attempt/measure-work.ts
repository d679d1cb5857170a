import type { PlannedTask } from '../../core/plan/data/planned-task.ts';
import { differing, type Fingerprint } from '../../core/verify/fingerprint.ts';
import type { Unrecordable } from '../../core/verify/unrecordable.ts';
import type { Inspection } from '../../ports/git.ts';
import type { World } from '../lane/world.ts';
import { outOfScope, unmatched } from '../watch/scope.ts';
import { strandedInSubmodules } from './submodules.ts';

/** File times may lag this much behind the clock. */
const CLOCK_MS = 20;

/** What an attempt changed, of paths that may be its own (R-VER-13). */
export interface MeasuredWork {
  readonly work: Fingerprint;
  readonly uncovered: readonly string[];
  readonly unrecordable: readonly Unrecordable[];
}

interface Measure {
  readonly task: PlannedTask;
  readonly attempt: number;
  readonly base: string;
  readonly paths: readonly string[];
  readonly now: Inspection;
}

/**
 * The work of an attempt: the paths with what they hold. What was ignored when the attempt began is no part of it, whatever
 * became of the ignore rules, unless *Files* names it and it was written since.
 */
export async function measureWork(world: World, { task, attempt, base, paths, now }: Measure): Promise<MeasuredWork> {
  const { git, tree, proofs } = world;
  const found = await uncoveredAmong(world, { base, paths, now });
  const all = await git.fingerprint(tree, paths);
  const began = proofs.beganAt({ key: task.key, attempt }) ?? Number.POSITIVE_INFINITY;
  const notNamed = new Set(outOfScope(found, { files: task.files, filesKnown: true }));
  const isOld = (path: string) => (all.get(path)?.changedMs ?? 0) < began - CLOCK_MS;
  const uncovered = found.filter((path) => notNamed.has(path) || isOld(path));
  const leftOut = new Set(uncovered);
  const work = new Map([...all].filter(([path]) => !leftOut.has(path)));
  const missing = task.filesKnown ? unmatched(task.files, [...work.keys()]) : [];
  const isPlain = [...work.values()].every(({ is }) => is === 'file' || is === 'absent');
  const beyondGit = isPlain && missing.length === 0 ? [] : await git.unrecordable(tree, { work, missing });
  const unrecordable = [...beyondGit, ...(await strandedInSubmodules(world, { key: task.key, attempt }))];
  return { work, uncovered, unrecordable };
}

/** Of new paths those that were ignored by the rules of the commit. Git is asked only where the rules, or the index, were changed. */
export async function uncoveredAmong(
  { git, tree }: World,
  { base, paths, now }: Pick<Measure, 'base' | 'paths' | 'now'>,
): Promise<readonly string[]> {
  const isAsked =
    now.head !== base || now.staged.length > 0 || now.changes.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
  return isAsked && paths.length > 0 ? await git.ignoredBefore(tree, base, paths) : [];
}

/** Which paths of the work hold something else by now. */
export async function movedSince({ git, tree }: World, work: Fingerprint): Promise<readonly string[]> {
  return differing(work, await git.fingerprint(tree, [...work.keys()], work));
}
