import type { Ended, Launch, ProcessEnd, StopStep } from '../../ports/process.ts';
import { Family } from './family.ts';
import { takeIn } from './output.ts';
import { type Confinement, type Started, start, unstarted } from './start.ts';
import { lookOut, type Stop } from './stop.ts';
import { begunSoFar } from './table.ts';

/** Processes that a program left running work for no one, but may have lock files to remove. */
const LEFTOVER_STEPS: readonly StopStep[] = [{ signal: 'SIGTERM', graceMs: 1_000 }];
const GRACE_AFTER_EXIT_MS = 2_000;

/** Runs a program to its end, and ends what it started (R-DEL-6). Rejects with what a callback of the launch threw. */
export async function runProgram(launch: Launch, confinement: Confinement): Promise<Ended> {
  const started = await start(launch, confinement);
  return started.how === 'started' ? accompany(started, launch, confinement) : unstarted(started);
}

async function accompany(started: Started, launch: Launch, confinement: Confinement): Promise<Ended> {
  const { pid, exited, channels, stdin } = started;
  const began = performance.now();
  const family = new Family({ mark: confinement.mark, leader: pid, leaderWraps: confinement.wrapper.length > 0 });
  // In a name space of its own nothing gets away.
  const stopLooking = confinement.wrapper.length > 0 ? () => {} : family.keepLooking();
  const lookout = lookOut(launch, confinement.closing);
  const taken = takeIn({ ...channels, stdin }, launch, { onActivity: lookout.heard, redact: confinement.redact });
  const fault = taken.then(() => exited).catch((): Stop => ({ by: 'cancel', steps: [] }));
  const first = await Promise.race([exited, lookout.stop, fault]);
  lookout.dispose();
  stopLooking();
  const stopped = 'steps' in first;
  const ended = !stopped && wasAlone(started) ? [] : await family.end(stopped ? first.steps : LEFTOVER_STEPS);
  // The pipes end now by themselves, unless what holds them could not be ended.
  const patience = setTimeout(channels.closeOurs, launch.limits.graceAfterExitMs ?? GRACE_AFTER_EXIT_MS);
  const kept = await taken.finally(() => clearTimeout(patience));
  const ending: ProcessEnd = stopped ? { how: 'killed', by: first.by } : first;
  const leftovers = ended.filter((member) => member !== pid).length;
  return { ...ending, ...kept, durationMs: Math.round(performance.now() - began), leftovers };
}

/** Whether a program that has exited left no process running because it never started one: one look instead of one at every process. */
function wasAlone({ begunBefore }: Started): boolean {
  return begunBefore !== undefined && begunSoFar() === begunBefore + 1;
}
