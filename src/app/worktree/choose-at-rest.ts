import { systemClock } from '../../adapters/clock/system.ts';
import { gitWorksIn } from '../../adapters/git/locks.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { UserError } from '../../core/user-error.ts';
import type { Chosen } from './choose.ts';

const WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * Chooses again while a worktree is half made and a git is at work: the git of a killed start goes on without it, and
 * what it writes must not be removed in the meantime. Mostly it ends, and the worktree is there. Throws `UserError`
 * if it does not.
 */
export async function chooseAtRest(
  choose: () => Promise<Chosen>,
  { commonDir }: Pick<RepositoryPlace, 'commonDir'>,
  waitMsMax = WAIT_MS_MAX,
): Promise<Chosen> {
  const until = Date.now() + waitMsMax;
  for (;;) {
    const choice = await choose();
    const [half] = choice.is === 'missing' ? choice.remove : [];
    if (half === undefined || !(await gitWorksIn(commonDir))) return choice;
    if (Date.now() > until)
      throw new UserError(
        `A git process in this repository may still be creating the worktree ${half}.`,
        'Wait for it to end, or stop it, then run the command again.',
      );
    await systemClock.sleepUntil(new Date(Date.now() + LOOK_EVERY_MS).toISOString(), new AbortController().signal);
  }
}
