import type { Noted } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { firstOf } from '../../core/text/first-of.ts';
import type { World } from '../lane/world.ts';

const NAMED_MAX = 5;

/** Commits after `base` up to `head`, what became of them, and the ref that keeps them as they were, if they are not on the branch. */
export interface Meanwhile {
  readonly base: string;
  readonly head: string;
  readonly became: string;
  readonly ref?: string;
}

/**
 * Names the commits that were made while an attempt or a batch was at work: they may be a person's, and often neither author
 * nor message stays on the branch (R-ADV-6). Nothing where there are none.
 */
export async function commitsMeanwhile(
  { git, tree, redact }: Pick<World, 'git' | 'tree' | 'redact'>,
  { base, head, became, ref }: Meanwhile,
): Promise<readonly string[]> {
  const commits = await git.commitsBetween(tree, base, head);
  if (commits.length === 0) return [];
  const named = commits.map(({ subject, author }) => `"${redact(subject)}" by ${author}`);
  const isOne = commits.length === 1;
  const kept = ref === undefined ? '.' : `. Kept with author and message under ${ref}`;
  return [
    `${isOne ? '1 commit that was' : `${commits.length} commits that were`} made in the meantime ${isOne ? 'is' : 'are'} ${became}: ${firstOf(named, NAMED_MAX)}${kept}`,
  ];
}

/** The same of commits that someone made on the run's branch while a batch was at work: they stay there, below what is recorded next. */
export async function commitsBelow(
  { tip }: RunState,
  world: Pick<World, 'git' | 'tree' | 'redact'>,
  head: string | undefined,
): Promise<Noted> {
  if (head === undefined || head === tip) return {};
  return { notes: await commitsMeanwhile(world, { base: tip, head, became: 'on the branch too' }) };
}
