import { firstOf } from '../core/text/first-of.ts';
import type { World } from './world.ts';

const NAMED_MAX = 5;

/** Commits after `base` up to `head`, what became of them, and the ref that keeps them as they were. */
export interface Meanwhile {
  readonly base: string;
  readonly head: string;
  readonly became: string;
  readonly ref: string;
}

/**
 * Names the commits that were made while an attempt was at work: they may be a person's, and neither author nor message
 * stays on the branch (R-ADV-6). Nothing where there are none.
 */
export async function commitsMeanwhile(
  { git, tree, redact }: Pick<World, 'git' | 'tree' | 'redact'>,
  { base, head, became, ref }: Meanwhile,
): Promise<readonly string[]> {
  const commits = await git.commitsBetween(tree, base, head);
  if (commits.length === 0) return [];
  const named = commits.map(({ subject, author }) => `"${redact(subject)}" by ${author}`);
  const isOne = commits.length === 1;
  return [
    `${isOne ? '1 commit that was' : `${commits.length} commits that were`} made meanwhile ${isOne ? 'is' : 'are'} ${became}: ${firstOf(named, NAMED_MAX)}. Kept with author and message under ${ref}`,
  ];
}
