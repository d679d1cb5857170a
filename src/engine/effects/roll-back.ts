import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { World } from '../lane/world.ts';

/** Where the drafts of a run are kept that were taken away. */
export function draftsRef({ name, run }: Pick<World['spec'], 'name' | 'run'>): string {
  return `refs/specloop/kept/${name}/${run}/drafts`;
}

/**
 * Takes away what a run of planning made and puts the tree on the branch where it was before: the drafts are kept under a ref,
 * and what was in the spec's folder stays (R-PLAN-3). Done again it goes on where it was cut off.
 */
export async function rollBack(state: RunState, world: World): Promise<RunEvent> {
  const { git, tree, spec, drafting } = world;
  const before = state.planning?.before;
  if (before === undefined || drafting === undefined) throw new Error('Nothing says how the tree was before.');
  const ref = draftsRef(spec);
  // What the run recorded goes, although no commit may hold it.
  const made = new Set(state.tasks.flatMap(({ step, files }) => (step === undefined ? [] : files)));
  const exclude = state.foreign.filter((path) => !made.has(path));
  if ((await git.readRef(ref)) === undefined) {
    await world.files.takeBack();
    await git.snapshot(tree, { ref, base: before.head, message: `specloop: drafts of ${spec.name}`, exclude });
  }
  const { branch, head, uncommitted } = before;
  await git.restore(tree, { branch, commit: head, exclude, unstage: uncommitted });
  if (state.branch !== branch) await git.removeRefs([`refs/heads/${state.branch}`]);
  const restored = await drafting.forget(before);
  const isKept = (await git.readRef(ref)) !== undefined;
  return {
    type: 'drafts-removed',
    kept: isKept ? [ref] : [],
    restored: [...restored, `back on ${branch}`],
  };
}
