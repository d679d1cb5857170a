import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { specKey } from '../../core/spec-files.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { holderOf } from '../run/runs.ts';
import { continueCommand, homeOf } from '../worktree/home.ts';

/**
 * A run that was interrupted goes on in the tree where it is and in no other: there is its work. One that still goes on is
 * refused by its lock. Throws `UserError` that says where it is, and the ways on.
 */
export async function requireRunHere(place: SpecPlace, host: Pick<Host, 'env'>): Promise<void> {
  const home = await homeOf(place, host);
  const { elsewhere, run } = home;
  if (elsewhere === undefined || run === undefined || !isUnfinished(run) || (await holderOf(place)).held) return;
  const { name, operand } = place.spec;
  const inFolder = place.spec.isSingleFile ? specKey(place.spec) : operand;
  const there = `${commandLine('cd', elsewhere.dir)} && ${commandLine('specloop', run.planning === undefined ? 'implement' : 'start', inFolder)}`;
  throw new UserError(
    `The unfinished run of ${name} uses the ${elsewhere.isMain ? 'main ' : ''}worktree ${elsewhere.dir}, on the branch ${run.branch}.`,
    `Continue there ("${there}") or from here ("${continueCommand(home, run)}"), or discard the run with "specloop cancel ${commandLine(operand)} --remove-state".`,
  );
}
