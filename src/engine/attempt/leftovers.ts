import type { LeftByCommands, Noted } from '../../core/run/data/event.ts';
import { isBookkeeping } from '../../core/spec-files.ts';
import type { Fingerprint } from '../../core/verify/fingerprint.ts';
import { leftText } from '../../core/view/sentences/attempt-sentences.ts';
import type { World } from '../lane/world.ts';
import { unusedRef } from './unused-ref.ts';

/** What accepted work is, and the commit that is to hold it. */
export interface Recorded {
  readonly commit: string;
  /** The commit before it. */
  readonly before: string;
  readonly work: Fingerprint;
  /** Whether no other commit may hold the same work already. */
  readonly isAlone: boolean;
}

/**
 * The paths of the work that hooks took out of the commit (R-VER-13): they are new, or still changed in the tree, or are all
 * there is. What a hook only made equal to how it was, as a formatter does, is no loss. Nothing is looked at where no hook
 * can have run.
 */
export async function takenOut(
  { git, tree }: World,
  { commit, before, work, isAlone }: Recorded,
): Promise<readonly string[]> {
  if (work.size === 0 || !(await git.hasCommitHooks(tree))) return [];
  const changed = new Set((await git.changedBetween(tree, before, commit)).map(plain));
  const missing = [...work.keys()].map(plain).filter((path) => !changed.has(path));
  if (missing.length === 0) return [];
  if (missing.length === work.size && isAlone) return missing;
  const open = new Set((await git.inspect(tree)).changes.map(({ path }) => plain(path)));
  const known = await Promise.all(missing.map((path) => git.fileAt(tree, before, path)));
  return missing.filter((path, at) => open.has(path) || known[at] === undefined);
}

/** A repository inside the tree ends in a slash in one list, and not in another. */
function plain(path: string): string {
  return path.replace(/\/$/, '');
}

/**
 * Puts back what the user's hooks left uncommitted after a commit, `exclude` left out (R-ADV-5). Looks at nothing where no hook
 * can have run.
 */
export async function putLeftoversBack(
  world: World,
  order: { readonly ref: string; readonly exclude: readonly string[] },
): Promise<LeftByCommands> {
  if (!(await world.git.hasCommitHooks(world.tree))) return {};
  return await keepAndPutBack(world, { ...order, message: 'specloop: what commit hooks left' });
}

/** The same as a note, for commits that are no record of a task and no end of a run. */
export async function leftoverNotes(
  world: World,
  order: { readonly ref: string; readonly exclude: readonly string[] },
): Promise<readonly string[]> {
  const { left } = await putLeftoversBack(world, order);
  return left === undefined ? [] : [`${leftText(left)}.`];
}

/** As a part of an event. */
export function noted(...notes: readonly (readonly string[] | undefined)[]): Noted {
  const all = notes.flatMap((some) => some ?? []);
  return all.length > 0 ? { notes: all } : {};
}

/**
 * Keeps under a ref what is uncommitted in the tree, `exclude` and the books left out, and puts it back, so that it does
 * not become part of the next task (R-VER-13).
 */
export async function keepAndPutBack(
  world: World,
  { ref, exclude, message }: { readonly ref: string; readonly exclude: readonly string[]; readonly message: string },
): Promise<LeftByCommands> {
  const { git, tree, lane } = world;
  // Nothing tells what others left in a shared tree from their work.
  if (lane.kind === 'shared') return {};
  const { head = '', changes } = await git.inspect(tree);
  const excluded = new Set(exclude);
  const all = changes.map(({ path }) => path);
  const paths = all.filter((path) => !excluded.has(path) && !isBookkeeping(path, world.spec));
  if (paths.length === 0) return {};
  const isLeft = new Set(paths);
  const free = await unusedRef(world, ref);
  const kept = await git.snapshot(tree, {
    ref: free,
    base: head,
    message,
    exclude: all.filter((path) => !isLeft.has(path)),
  });
  await git.putBack(tree, paths);
  return { left: { paths, ...(kept && { kept: free }) } };
}
