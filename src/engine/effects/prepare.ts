import type { RunEvent } from '../../core/run/event.ts';
import { sparedPaths } from '../../core/run/foreign.ts';
import type { RunState } from '../../core/run/state.ts';
import { UserError } from '../../core/user-error.ts';
import { counted } from '../../core/view/words.ts';
import type { World } from '../world.ts';

/** Brings about what a run needs before its first task: ignore entries, a branch, the spec in a commit (R-FILE-8, R-START-2, R-START-6). */
export async function prepare({ policy }: RunState, world: World): Promise<RunEvent> {
  const { git, tree, spec } = world;
  const notes: string[] = [];
  const kept = await world.workspaces.prune();
  if (kept.length > 0) notes.push(`Kept what worktrees of an earlier run held: ${kept.join(', ')}`);
  const ignored = await world.ignorePrivateFiles();
  if (ignored.length > 0) notes.push(`Added to .git/info/exclude: ${ignored.join(', ')}`);
  if (world.newBranch !== undefined) {
    await git.switchToNewBranch(tree, world.newBranch);
    notes.push(`Working on the new branch ${world.newBranch}.`);
  }
  let now = await git.inspect(tree);
  const paths = now.changes.map(({ path }) => path);
  const inSpec = paths.filter((path) => path.startsWith(`${spec.path}/`));
  if (policy.commitSpec && inSpec.length > 0) {
    const message = `docs(spec): add the spec ${spec.name}`;
    const done = await git.commit(tree, {
      message,
      trailers: {},
      paths: inSpec,
      spareIndex: inSpec.length < paths.length,
    });
    if (done.how === 'refused') {
      throw new UserError(
        `The spec could not be committed: a commit hook said no.\n${world.redact(done.output).trim()}`,
        'Satisfy the hook, or commit the spec yourself and run again.',
      );
    }
    if (done.how === 'committed') {
      notes.push(`Committed the spec: ${counted(inSpec.length, 'file')}.`);
      now = await git.inspect(tree);
    }
  }
  const { head, branch, changes } = now;
  if (head === undefined || branch === undefined)
    throw new UserError('The repository has no commit to start from.', 'Make a first commit, then run again.');
  const foreign = sparedPaths(
    changes.map(({ path }) => path),
    spec.path,
  );
  return { type: 'run-prepared', branch, head, foreign, notes };
}
