import { systemClock } from '../../adapters/clock/system.ts';
import { acquireLock } from '../../adapters/store/lock.ts';
import { ownOwner } from '../../adapters/store/owner-record.ts';
import { isRunning, thisProcess } from '../../adapters/store/process-identity.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { UserError } from '../../core/user-error.ts';
import { isUnfinished } from '../../engine/open.ts';
import type { Holding, Owner } from '../../ports/store.ts';
import { type Call, type Command, isSet, specOperand } from '../command.ts';
import { findSpec, type SpecPlace } from '../place.ts';
import { archiveOf, holderOf, latestRun, ownerText, privateFolderOf } from '../runs.ts';
import { elsewhereLines, type Home, homeOf, implementCommand } from '../worktree/home.ts';

/** A coordinator stops its agents, keeps their work and writes its state down before it leaves. */
const WAIT_MS_MAX = 60_000;
const LOOK_EVERY_MS = 100;

/** Stops the run of a spec in order, from outside (R-PLAN-1, R-DEL-6). */
export const cancel: Command = {
  operands: [specOperand],
  options: [
    {
      flag: '--remove-state',
      summary: 'Also remove the state file, so that the next start is a new run. The journal is kept.',
    },
  ],
  examples: [
    ['cancel', 'Stops the run of the active spec. The run can be resumed.'],
    ['cancel demo --remove-state', 'Stops the run of "demo"; the next start is a new run.'],
  ],
  run: async (call) => {
    const start = await findSpec(call, call.operands[0]);
    const holding = await holderOf(start);
    if (holding.held) await stop(start, holding, call);
    else call.stderr.write(`No coordinator works on ${start.spec.name}.\n`);
    if (isSet(call, '--remove-state')) await giveUp(await homeOf(start, call), call);
    return 0;
  },
};

async function stop(place: SpecPlace, holding: Holding & { readonly held: true }, call: Call): Promise<void> {
  const { stderr } = call;
  const owner = reachable(place, holding);
  process.kill(owner.pid, 'SIGTERM');
  stderr.write(`Told ${ownerText(owner)} to stop.\n`);
  const until = Date.now() + WAIT_MS_MAX;
  while ((await holderOf(place)).held) {
    if (Date.now() > until) throw stillThere(owner);
    await systemClock.sleepUntil(new Date(Date.now() + LOOK_EVERY_MS).toISOString(), new AbortController().signal);
  }
  stderr.write(`It has ended. Resume with "${implementCommand(await homeOf(place, call))}".\n`);
}

/** The coordinator, if it is a process that we can be sure of and can reach: a pid alone may be another process by now. */
function reachable({ spec }: SpecPlace, { owner, removable }: Holding & { readonly held: true }): Owner {
  const orDelete = removable === undefined ? '' : ` Once you are sure that it has ended, delete ${removable}.`;
  if (owner === undefined)
    throw new UserError(
      `Something works on ${spec.name} that left no readable record of itself.`,
      `Look for a running specloop and end it by hand.${orDelete}`,
    );
  const here = thisProcess();
  if (owner.host !== here.host || owner.boot !== here.boot)
    throw new UserError(
      `The coordinator of ${spec.name} runs elsewhere: ${ownerText(owner)}.`,
      `Cancel it there.${orDelete}`,
    );
  if (!isRunning(owner.pid, owner.startTime))
    throw new UserError(
      `Process ${owner.pid} is not the coordinator of ${spec.name} any more.`,
      `Run the command again.${orDelete}`,
    );
  return owner;
}

function stillThere(owner: Owner): UserError {
  return new UserError(
    `The coordinator has not ended within ${WAIT_MS_MAX / 1000} s: ${ownerText(owner)}.`,
    'Run the command again to end it at once; what it has done so far is kept.',
  );
}

/** Under the lock, so that no run begins meanwhile. Throws `UserError` if one did. */
async function giveUp(home: Home, { stderr }: Call): Promise<void> {
  const { place } = home;
  const result = await acquireLock(privateFolderOf(place), ownOwner(systemClock));
  if (!result.ok)
    throw new UserError(`Another coordinator works on ${place.spec.name} by now.`, 'Run the command again.');
  try {
    const files = specFiles(place.spec.dir);
    const isThere = (await files.read('.ralph-state.json')) !== undefined;
    await files.remove('.ralph-state.json');
    const hasEnded = await endUnfinished(place);
    const done = [...(isThere ? ['removed its state file'] : []), ...(hasEnded ? ['gave its run up'] : [])];
    for (const line of elsewhereLines(home)) stderr.write(`${line}:\n`);
    stderr.write(`${place.spec.name}: ${done.length === 0 ? 'there was nothing to remove' : done.join(', ')}.\n`);
  } finally {
    result.lock.release();
  }
}

/** A run is only over for the next one when its journal says so (R-FILE-7). Tells whether there was one to end. */
async function endUnfinished(place: SpecPlace): Promise<boolean> {
  const archive = archiveOf(place);
  const latest = await latestRun(archive);
  if (latest === undefined || !isUnfinished(latest.state)) return false;
  const journal = await archive.journal(latest.run.id, latest.run.envelopes.at(-1)?.seq ?? 0);
  try {
    const reason = 'It was cancelled, and its state removed.';
    await journal.append([{ type: 'run-finished', result: 'abandoned', reason, head: latest.state.tip }]);
    return true;
  } finally {
    journal.close();
  }
}
