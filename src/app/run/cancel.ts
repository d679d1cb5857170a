import { systemClock } from '../../adapters/clock/system.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { isRunning, thisProcess } from '../../adapters/store/process-identity.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import { handOvers } from '../../core/run/drivers.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { stateFileOf } from '../../core/spec-files.ts';
import { visible } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { Holding, Owner, RecordedRun, RunArchive } from '../../ports/store.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { continueCommand, type Home, homeOf, notifyElsewhere } from '../worktree/home.ts';
import { archiveOf, type FoldedRun, holderOf, latestRun, ownerText, privateFolderOf } from './runs.ts';

/** A coordinator stops its agents, keeps their work and writes its state down before it leaves. */
const WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 100;

type Held = Holding & { readonly held: true };

/** How a run is to be cancelled. */
export interface CancelOptions {
  /** Give the run up, too: remove the state file, so that the next start is a new run. The journal is kept. */
  readonly removeState?: boolean;
}

/**
 * Stops the run of a spec in order, from outside, and waits for its end (R-PLAN-1, R-DEL-6). Resolves with whether there was
 * one; notices tell what was done. Throws `UserError` where the coordinator cannot be reached or does not end.
 */
export async function cancelRun(
  place: SpecPlace,
  host: Pick<Host, 'env' | 'notify'>,
  { removeState = false }: CancelOptions = {},
): Promise<boolean> {
  const holding = await holderOf(place);
  if (holding.held) await stop(place, holding, host);
  const isTakenBack = !holding.held && (await takeBack(await homeOf(place, host), host));
  if (!holding.held && !isTakenBack) host.notify(`${place.spec.name} is not running.`);
  if (removeState) await giveUp(await homeOf(place, host), host);
  return holding.held || isTakenBack;
}

/** Ends what was handed over, as if the run were taken over (R-SES-4). Tells whether there was something. */
async function takeBack(home: Home, host: Pick<Host, 'notify'>): Promise<boolean> {
  // The next start reports a journal that cannot be read.
  const seen = await latestRun(archiveOf(home.place)).catch(() => undefined);
  if (handOvers(seen?.state).length === 0) return false;
  return await underLock(home, async (archive, latest) => {
    if (latest === undefined || handOvers(latest.state).length === 0) return false;
    const { run, state } = latest;
    const drivers = new Set(handOvers(state).map(({ holder }) => holder.driver));
    await append(archive, run, [
      { type: 'run-resumed', head: state.tip },
      { type: 'run-halted', result: 'interrupted', reason: 'Cancelled while work was handed over.' },
    ]);
    host.notify(
      `Cancelled what ${visible([...drivers].join(', '))} works on. The next start keeps its work under a ref; its attempts do not count.`,
    );
    return true;
  });
}

async function stop(place: SpecPlace, holding: Held, host: Pick<Host, 'env' | 'notify'>): Promise<void> {
  const owner = reachable(place, holding);
  process.kill(owner.pid, 'SIGTERM');
  host.notify(`Stopping ${ownerText(owner)}.`);
  const until = Date.now() + WAIT_MS_MAX;
  while ((await holderOf(place)).held) {
    if (Date.now() > until) throw stillThere(owner);
    await systemClock.sleepUntil(new Date(Date.now() + LOOK_EVERY_MS).toISOString(), new AbortController().signal);
  }
  host.notify(`Stopped. To resume, run "${await resumeCommand(place, host)}".`);
}

async function resumeCommand(place: SpecPlace, host: Pick<Host, 'env'>): Promise<string> {
  const latest = await latestRun(archiveOf(place)).catch(() => undefined);
  return continueCommand(await homeOf(place, host), latest?.state);
}

/** The coordinator, if it is a process that we can be sure of and can reach: a pid alone may be another process by now. */
function reachable({ spec }: SpecPlace, { owner, removable }: Held): Owner {
  const orDelete = removable === undefined ? '' : ` If you are sure that it has ended, delete ${removable}.`;
  if (owner === undefined)
    throw new UserError(
      `Another process holds the lock of ${spec.name}, but its owner record cannot be read.`,
      `Find the running specloop process and end it.${orDelete}`,
    );
  const here = thisProcess();
  if (owner.host !== here.host || owner.boot !== here.boot)
    throw new UserError(
      `The coordinator of ${spec.name} runs on another machine or in another container: ${ownerText(owner)}.`,
      `Run "specloop cancel" there.${orDelete}`,
    );
  if (owner.pid === process.pid)
    throw new UserError(`This process runs ${spec.name}.`, 'Call stop() on its run handle.');
  if (!isRunning(owner.pid, owner.startTime))
    throw new UserError(
      `Process ${owner.pid} is no longer the coordinator of ${spec.name}.`,
      `Run the command again.${orDelete}`,
    );
  return owner;
}

function stillThere(owner: Owner): UserError {
  return new UserError(
    `The coordinator did not stop within ${WAIT_MS_MAX / 1000} s: ${ownerText(owner)}.`,
    'Run the command again to end it at once; its work is kept.',
  );
}

async function giveUp(home: Home, host: Pick<Host, 'notify'>): Promise<void> {
  const { place } = home;
  await underLock(home, async (archive, latest) => {
    const files = specFiles(place.spec.dir);
    const isThere = (await files.read(stateFileOf(place.spec))) !== undefined;
    await files.remove(stateFileOf(place.spec));
    const hasEnded = await endUnfinished(archive, latest);
    const done = [...(isThere ? ['removed its state file'] : []), ...(hasEnded ? ['ended its run'] : [])];
    notifyElsewhere(home, host);
    host.notify(`${place.spec.name}: ${done.length === 0 ? 'nothing to remove' : done.join(', ')}.`);
  });
}

/** Does something with the newest run while no other one can begin. Throws `UserError` if one did. */
async function underLock<T>(
  { place }: Home,
  act: (archive: RunArchive, latest: FoldedRun | undefined) => Promise<T>,
): Promise<T> {
  const result = await acquireLock(privateFolderOf(place), ownOwner(systemClock));
  if (!result.ok)
    throw new UserError(`Another coordinator has started on ${place.spec.name}.`, 'Run the command again.');
  try {
    const archive = archiveOf(place);
    return await act(archive, await latestRun(archive));
  } finally {
    result.lock.release();
  }
}

/** A run is only over for the next one when its journal says so (R-FILE-7). Tells whether there was one to end. */
async function endUnfinished(archive: RunArchive, latest: FoldedRun | undefined): Promise<boolean> {
  if (latest === undefined || !isUnfinished(latest.state)) return false;
  const reason = 'Cancelled; its state file was removed.';
  await append(archive, latest.run, [{ type: 'run-finished', result: 'abandoned', reason, head: latest.state.tip }]);
  return true;
}

async function append(archive: RunArchive, { id, envelopes }: RecordedRun, events: readonly RunEvent[]): Promise<void> {
  const journal = await archive.journal(id, envelopes.at(-1)?.seq ?? 0);
  try {
    await journal.append(events);
  } finally {
    journal.close();
  }
}
