import type { Tree } from '../../../ports/git.ts';
import type { Remote } from '../../../ports/remote.ts';
import { type GitCalls, line, revision } from '../calls.ts';
import { faultOf } from '../fault.ts';
import { isAncestor } from '../history.ts';
import { changedBetween, inspect } from '../inspect.ts';
import type { GitAnswer } from '../program.ts';
import { stage } from '../staging.ts';
import { writeTree } from '../temporary-index.ts';

/**
 * See `Remote.advance`. What is uncommitted stays, staged or not; an ignored file is in the way like any other that no
 * commit holds. Where git was killed in the middle of it, the files it had written by then are no obstacle.
 */
export async function advance(calls: GitCalls, tree: Tree, commit: string): ReturnType<Remote['advance']> {
  const answer = await fastForward(calls, tree, commit);
  if (answer.code === 0) return { ok: true };
  const there = await writtenAlready(calls, tree, commit);
  if (there.length === 0) return refused(answer);
  await stage(calls, tree, there);
  const second = await fastForward(calls, tree, commit);
  return second.code === 0 ? { ok: true } : refused(second);
}

async function fastForward(calls: GitCalls, tree: Tree, commit: string): Promise<GitAnswer> {
  const flags = ['--ff-only', '--quiet', '--no-autostash', '--no-overwrite-ignore'];
  return calls.run(tree, ['merge', ...flags, revision(commit)], { effort: 'work' });
}

function refused(answer: GitAnswer): { readonly ok: false; readonly output: string } {
  const fault = faultOf('merge', answer);
  if (fault.kind !== 'other') throw fault;
  return { ok: false, output: answer.stderr.trim() };
}

/** The uncommitted paths in the way, if each of them is already what it will be in the commit. */
async function writtenAlready(calls: GitCalls, tree: Tree, commit: string): Promise<readonly string[]> {
  const { head, changes, staged } = await inspect(calls, tree);
  if (head === undefined || !(await isAncestor(calls, tree, { ancestor: head, commit }))) return [];
  const coming = new Set(await changedBetween(calls, tree, { from: head, to: commit }));
  const paths = changes.map(({ path }) => path).filter((path) => coming.has(path));
  if (paths.length === 0 || staged.some((path) => coming.has(path))) return [];
  const now = await writeTree(calls, tree, { from: commit, paths });
  return now === (await line(calls, tree, ['rev-parse', `${commit}^{tree}`])) ? paths : [];
}
