import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { type Chosen, chooseWorktree } from '../worktree/choose.ts';
import { chooseAtRest } from '../worktree/choose-at-rest.ts';
import { bringHooks } from '../worktree/hooks.ts';
import { makeWorktree, type PlaceInTree, tellWhere } from '../worktree/make.ts';
import { surveyFor } from '../worktree/survey.ts';
import { withLocks } from './locks.ts';
import type { OnStop } from './order.ts';
import { type Site, siteOf } from './site.ts';
import { relayStops } from './stop-relay.ts';

type Missing = Extract<Chosen, { readonly is: 'missing' }>;

/** A run that is to work in a worktree of its spec. */
export interface WorktreeOrder<Preview> {
  readonly dryRun?: boolean;
  readonly onStop: OnStop;
  /** Finds the spec in the worktree. */
  readonly placeIn: PlaceInTree;
  /** Throws `UserError` for what would be refused in the worktree, before it is made (R-START-1). */
  readonly check: (choice: Chosen) => Promise<void>;
  /** What would be run in a worktree that is not there yet (R-START-8). */
  readonly preview: (choice: Missing) => Promise<Preview>;
  /** The command that goes on after a signal. */
  readonly command: string;
}

/** A signal came before the run began. */
export interface StoppedBefore {
  readonly is: 'stopped';
  readonly signal: StopSignal;
}

/**
 * `--worktree`: the spec in a worktree of its own, which is made if it is missing. From then on all is as if the command
 * had been started there, with the settings of the tree that it was started in. Resolves with the outcome where nothing is
 * to be run: after a dry run of what is not there yet, and after a signal. Throws `UserError`.
 */
export async function siteInWorktree<Preview extends { readonly is: string }>(
  start: SpecPlace,
  host: Host,
  order: WorktreeOrder<Preview>,
): Promise<Site | Preview | StoppedBefore> {
  const choice = await choose(start, host);
  const isThere = choice.is === 'there' && (choice.isReady || order.dryRun);
  if (isThere) {
    tellWhere(choice, host);
    const place = await order.placeIn(start, choice.dir, host.env);
    if (!order.dryRun) await bringHooks(place.repository, host);
    return siteOf({ start, place }, host, order.onStop);
  }
  if (choice.is === 'missing' && order.dryRun) {
    const { dir, branch, at } = choice;
    const preview = await order.preview(choice);
    host.notify(`Would create the worktree ${dir}, on the ${at === undefined ? '' : 'new '}branch ${branch}.`);
    return preview;
  }
  await order.check(choice);
  return await make(choice.branch, { start, host, order });
}

async function choose(start: SpecPlace, host: Host): Promise<Chosen> {
  const choice = chooseWorktree(await surveyFor(start, host));
  if (choice.is === 'refused') throw new UserError(choice.message, choice.hint);
  return choice;
}

/**
 * Makes the worktree ready under the locks of spec and branch, so that of two starts one is refused (R-FILE-6). What was
 * there to choose from may have changed before they were ours. The run takes the locks again.
 */
async function make<Preview>(
  branch: string,
  { start, host, order }: { readonly start: SpecPlace; readonly host: Host; readonly order: WorktreeOrder<Preview> },
): Promise<Site | StoppedBefore> {
  const { placeIn, command } = order;
  const { onStop, asked } = relayStops(order.onStop);
  const place = await withLocks({ place: start, branch }, async () => {
    const choice = await chooseAtRest(() => choose(start, host), start.repository);
    return await makeWorktree(choice, start, { host, onStop, placeIn, isStopped: () => asked() !== undefined });
  });
  const signal = asked();
  if (signal === undefined) {
    await bringHooks(place.repository, host);
    return siteOf({ start, place }, host, onStop);
  }
  host.notify(`Stopped before the run began. Run \`${command}\` to continue.`);
  return { is: 'stopped', signal };
}
