import type { RunState } from '../../core/run/data/state.ts';
import type { VerifyRun } from '../../core/verify/evidence.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import { isProblem, type WorkspaceProblem } from '../../ports/workspace.ts';
import type { World } from '../lane/world.ts';
import { runCommand } from './verify.ts';
import { watched } from './watched.ts';

/** How long a command may take that is only tried. */
const LIMIT_MS = 30_000;
const OUTPUT_BYTES_MAX = 8 * 1024;

/** What commands did, by their text, and what they changed that is not theirs to change. */
export interface TriedCommands {
  readonly runs: ReadonlyMap<string, VerifyRun>;
  readonly noticed?: Noticed;
}

/**
 * Runs each command once, contained and with a short limit, in a worktree of the last commit that is thrown away: nothing of the
 * user's tree changes, and what one command leaves the next one does not see. Safe to do twice.
 */
export async function tryCommands(
  commands: readonly string[],
  state: RunState,
  { world, name }: { readonly world: World; readonly name: string },
): Promise<TriedCommands | WorkspaceProblem | 'cancelled'> {
  const { workspaces, git, signal } = world;
  const opened = await workspaces.open({ name, base: state.tip, signal });
  if (signal.aborted) return 'cancelled';
  if (isProblem(opened)) return opened;
  const { tree, branch } = opened;
  const verifyTimeoutMs = Math.min(LIMIT_MS, world.verifyTimeoutMs);
  const place = { ...world, tree, ownBranch: branch, verifyTimeoutMs };
  const asCommitted = async () => await git.restore(tree, { branch, commit: state.tip, exclude: [] });
  const runs = new Map<string, VerifyRun>();
  const found: Noticed[] = [];
  for (const [n, command] of [...new Set(commands)].entries()) {
    await asCommitted();
    const order = { command, log: `${name}/${n + 1}.log`, outputBytesMax: OUTPUT_BYTES_MAX };
    const { result, noticed } = await watched(state, place, { when: 'begin' }, () => runCommand(place, order));
    if (result === 'cancelled') return result;
    runs.set(command, result);
    if (noticed !== undefined) found.push(noticed);
  }
  await asCommitted();
  await workspaces.close(name);
  // Members of a batch would lose theirs.
  if (state.batch === undefined) await workspaces.prune();
  return { runs, ...(found.length > 0 && { noticed: together(found) }) };
}

function together(found: readonly Noticed[]): Noticed {
  return {
    violations: found.flatMap(({ violations }) => violations),
    concerns: found.flatMap(({ concerns }) => concerns),
  };
}
