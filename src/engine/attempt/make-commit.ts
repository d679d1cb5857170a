import type { BlockedBy, OfAttempt, RunEvent } from '../../core/run/data/event.ts';
import type { Committed, Git } from '../../ports/git.ts';
import type { World } from '../lane/world.ts';

export type CommitOrder = Omit<Parameters<Git['commit']>[1], 'signal' | 'onSlow'>;

/** A commit that was not made although there was something to commit. */
export type Unmade = Exclude<Committed, { readonly how: 'committed' | 'nothing' }>;

export function isUnmade(done: Committed): done is Unmade {
  return done.how !== 'committed' && done.how !== 'nothing';
}

/**
 * Every commit of a run: through hooks and signing, which are looked at right before (R-VER-14). A stop ends it soon; one that
 * takes long is told (R-ADV-5, R-UX-3).
 */
export async function makeCommit(
  { git, tree, watch, signal, tell }: World,
  order: CommitOrder,
  about: Partial<OfAttempt> = {},
): Promise<Committed> {
  await watch.settle();
  return await git.commit(tree, {
    ...order,
    signal,
    onSlow: (runs) => tell({ type: 'commit-slow', ...about, runs }),
  });
}

/** A commit of files that the coordinator wrote itself: what hooks put right in them is taken, and committed once more. */
export async function makeOwnCommit(world: World, order: CommitOrder): Promise<Committed> {
  const first = await makeCommit(world, order);
  return first.how === 'refused' && first.repaired !== undefined ? await makeCommit(world, order) : first;
}

/** Why no agent can mend that this commit was not made (R-ADV-5); `undefined` where it is the work that was refused. */
export function blockedBy(
  done: Unmade,
  is: { readonly own: boolean; readonly ownMessage: boolean },
): BlockedBy | undefined {
  if (done.how === 'stopped') return 'stop';
  if (done.how === 'refused' && (done.by === 'signing' || done.by === 'reference')) return done.by;
  if (is.own) return 'own';
  if (done.how !== 'refused' || done.by !== 'message') return undefined;
  return is.ownMessage ? 'own' : 'message';
}

/** What an event says of a commit that was not made. */
export function blocked(
  done: Unmade,
  cause: BlockedBy,
  { message, ...about }: { readonly message: string } & Partial<OfAttempt>,
): Extract<RunEvent, { type: 'commit-blocked' }> {
  const output = 'output' in done ? done.output : '';
  return { type: 'commit-blocked', ...about, cause, subject: message.split('\n')[0] ?? '', output };
}

/** The event of an attempt's commit that was not made: it is blocked, or without a cause, the work was refused. */
export function notCommitted(
  done: Unmade,
  cause: BlockedBy | undefined,
  { message, ...about }: { readonly message: string } & OfAttempt,
): RunEvent {
  if (cause !== undefined) return blocked(done, cause, { message, ...about });
  const output = 'output' in done ? done.output : '';
  return { type: 'commit-refused', ...about, cause: done.how === 'unfit' ? 'unfit' : 'work', output };
}
