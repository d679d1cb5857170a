import type { Noted } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { World } from '../lane/world.ts';
import { commitsMeanwhile } from './commits-meanwhile.ts';
import { keptRef } from './kept-ref.ts';
import { baseIn } from './shared-tree.ts';

/**
 * Commits that were made during the attempt become part of the task's commit; a ref keeps them (R-DEL-5). Resolves with
 * what a person should know of that.
 */
export async function foldAgentCommits(
  state: RunState,
  { git, tree, spec, redact, lane }: World,
  at: { readonly key: string; readonly attempt: number; readonly base: string },
): Promise<Noted> {
  if (lane.kind === 'worktree') return {};
  const base = baseIn(lane, at.base);
  const head = await git.readRef(`refs/heads/${state.branch}`);
  if (head === undefined || head === base) return {};
  const ref = `${keptRef(spec, at)}-commits`;
  const notes = await commitsMeanwhile({ git, tree, redact }, { base, head, became: 'part of its commit', ref });
  await git.setRef(ref, head);
  await git.unwind(tree, base);
  return { notes };
}
