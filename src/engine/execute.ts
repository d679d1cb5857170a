import type { Role } from '../core/agent/role.ts';
import { planned } from '../core/plan/data/planned-task.ts';
import type { Plan } from '../core/plan/data/task.ts';
import type { PlanningFacts } from '../core/planning/planning-facts.ts';
import type { Policy } from '../core/policy.ts';
import type { Carried } from '../core/run/data/carried.ts';
import type { Effect } from '../core/run/data/effect.ts';
import type { Envelope, RunEvent } from '../core/run/data/event.ts';
import { type Holder, isForAgent } from '../core/run/data/hand-over.ts';
import type { RunState } from '../core/run/data/state.ts';
import type { StopSignal } from '../core/run/data/stop-signal.ts';
import { stateFileOf } from '../core/spec-files.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, RunArchive, SpecFiles } from '../ports/store.ts';
import { undoIntegration } from './effects/integrate.ts';
import { waitedElsewhere } from './effects/wait.ts';
import { Inbox } from './inbox.ts';
import { keepProgress, type ProgressKeeper } from './lane/kept-progress.ts';
import type { KnownStateText } from './lane/known-state-text.ts';
import { Proofs } from './lane/proofs.ts';
import { StateFile } from './lane/state-file.ts';
import { TrustedPlan } from './lane/trusted-plan.ts';
import type { SpecFacts, World } from './lane/world.ts';
import type { Opening } from './open.ts';
import { perform, takeUp } from './perform.ts';
import { run } from './run.ts';

/** Everything a run needs that is decided before it begins. */
export interface Order {
  readonly opening: Opening;
  readonly spec: Pick<SpecFacts, 'format' | 'progressFile'>;
  /** The plan on disk, and what is known of the state file. */
  readonly plan: Plan;
  readonly stateFile: KnownStateText;
  readonly files: SpecFiles;
  readonly policy: Policy;
  /** Names of the agents, for people. */
  readonly agents: string;
  /** Earlier attempts of a spec without a journal. */
  readonly globalIteration: number;
  readonly archive: RunArchive;
  readonly clock: Clock;
  /** Completes the world once the run has an id. */
  readonly world: (run: RunIdentity) => World;
  /** Shows what happens; never slows or stops the run. */
  readonly show: (envelope: Envelope, state: RunState) => void;
  /** Lets the caller ask the run to stop; called once. */
  readonly onStop: (stop: (signal: StopSignal) => void) => void;
  readonly maxTimeMs?: number;
  /** Set if the run drafts the documents of the spec: then the plan is the list of its steps (R-PLAN-2). */
  readonly planning?: PlanningFacts;
  /** Who runs the agents, if this process does not: then the run goes on until they are needed (R-API-5). */
  readonly driver?: Driver;
}

/** Someone who works on what a run hands over, and reports it later. */
export interface Driver {
  /** The same name in every process that goes on with the run. */
  readonly name: string;
  /** Whether attempts begin; not where only the answer to one is taken, so that others may go on with the next (R-SES-2). */
  readonly begins: boolean;
  /** How long an agent in a role may take, in milliseconds. */
  readonly leaseMs: (role: Role) => number;
  /** A token that was not used before. */
  readonly newToken: () => string;
}

/** What the world of one run is made of, in addition to the ports. */
export interface RunIdentity {
  readonly run: SpecFacts['run'];
  readonly files: SpecFiles;
  readonly progress: ProgressKeeper;
  readonly plan: TrustedPlan;
  readonly stateFile: StateFile;
  readonly proofs: Proofs;
  readonly signal: AbortSignal;
  readonly timeIsUp: AbortSignal;
  readonly tell: World['tell'];
}

/**
 * Takes a spec from where it is to the end of its run. Throws what the run can't go on after, as `StorageFault`; the
 * journal then holds `run-halted` if it could still be written, and the next start resumes. With a driver it also resolves
 * when nothing is left to do until an effect that was handed over is reported.
 */
export async function execute(order: Order): Promise<RunState> {
  const { opening, archive, clock } = order;
  if (opening.kind === 'new' && opening.abandoned !== undefined) await abandon(archive, opening.abandoned);
  const id = opening.kind === 'resume' ? await newest(archive) : await archive.create();
  const { envelopes } = await archive.read(id);
  const journal = await archive.journal(id, envelopes.at(-1)?.seq ?? 0);
  const inbox = new Inbox<RunEvent>();
  const stopping = new AbortController();
  const timeIsUp = new AbortController();
  const stateFile = new StateFile(order.files, { ...order.stateFile, name: stateFileOf(order.spec) });
  const world = order.world({
    run: id,
    ...keepProgress(order.files, { bookkeeping: order.policy.bookkeeping, progressFile: order.spec.progressFile }),
    plan: new TrustedPlan(opening.kind === 'resume' ? opening.plan : order.plan, order.spec.format),
    stateFile,
    proofs: new Proofs(),
    signal: stopping.signal,
    timeIsUp: timeIsUp.signal,
    tell: (event) => inbox.put(event),
  });
  order.onStop((signal) => inbox.put({ type: 'stop-requested', signal }));
  const over = new AbortController();
  let isBegun = opening.kind === 'resume';
  const { maxTimeMs: limitMs } = order;
  const leftMs = (limitMs ?? 0) - (opening.kind === 'resume' ? opening.drivenMs : 0);
  if (limitMs !== undefined && leftMs > 0)
    startTimer(leftMs, { clock, signal: over.signal }, () => {
      inbox.put({ type: 'time-ran-out', limitMs });
      timeIsUp.abort();
    });
  try {
    if (opening.kind === 'resume') await undoIntegration(opening.state, world, opening.event.recorded?.task);
    const state = await run(opening.kind === 'resume' ? opening.state : undefined, firstEvent(order), {
      journal,
      inbox,
      perform: async (effect, state) =>
        effect.do === 'wait' && order.driver ? waitedElsewhere(effect, clock) : await perform(effect, state, world),
      mayBegin: (effect) => order.driver?.begins !== false || !beginsWork(effect),
      takeUp: (handOver, state) => takeUp(handOver, state, world),
      holderOf: (effect) => holderOf(effect, order),
      follow: async (appended) => {
        isBegun = true;
        const last = appended.at(-1);
        if (last) await stateFile.follow(last.state);
        for (const { envelope, state } of appended) order.show(envelope, state);
      },
      abort: (reason) => stopping.abort(reason),
    });
    if (state.ended?.result === 'completed' && state.planning === undefined) await stateFile.remove();
    return state;
  } catch (error) {
    if (isBegun) await recordHalt(journal, error, world);
    throw error;
  } finally {
    over.abort();
    journal.close();
  }
}

/** Whether an effect begins attempts, and not only what an attempt needs to come to its verdict. */
function beginsWork({ do: what }: Effect): boolean {
  return what === 'delegate' || what === 'open-batch';
}

/** The driver holds what an agent works on, for as long as its role may take. */
function holderOf(effect: Effect, { driver, clock }: Pick<Order, 'driver' | 'clock'>): Holder | undefined {
  if (driver === undefined || !isForAgent(effect)) return undefined;
  const leaseMs = driver.leaseMs(effect.do === 'review' ? 'reviewer' : effect.role);
  const until = new Date(Date.parse(clock.now()) + leaseMs).toISOString();
  return { driver: driver.name, token: driver.newToken(), until };
}

function firstEvent({ opening, plan, policy, agents, globalIteration, driver, planning }: Order): RunEvent {
  if (opening.kind === 'resume') return opening.event;
  const carried: Carried = opening.carried;
  const tasks = plan.tasks.map((task) => planned(task, policy.workdir ?? ''));
  const by = driver === undefined ? {} : { driver: driver.name };
  return { type: 'run-started', policy, tasks, agents, carried, globalIteration, ...by, ...(planning && { planning }) };
}

async function newest(archive: RunArchive): Promise<string> {
  const latest = await archive.latest();
  if (latest === undefined) throw new Error('There is no run to resume.');
  return latest.id;
}

async function abandon(archive: RunArchive, why: string): Promise<void> {
  const latest = await archive.latest();
  if (latest === undefined) return;
  const journal = await archive.journal(latest.id, latest.envelopes.at(-1)?.seq ?? 0);
  try {
    await journal.append([
      {
        type: 'run-finished',
        result: 'abandoned',
        reason: `The run cannot be resumed: ${why}.`,
        head: '',
      },
    ]);
  } finally {
    journal.close();
  }
}

/** The disk may be the trouble: then the missing end says as much as the event would. */
async function recordHalt(journal: Journal, error: unknown, { redact }: World): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  await journal.append([{ type: 'run-halted', result: 'fault', reason: redact(reason) }]).catch(() => undefined);
}

function startTimer(
  limitMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  onTimeOut: () => void,
): void {
  const until = new Date(Date.parse(clock.now()) + limitMs).toISOString();
  void clock.sleepUntil(until, signal).then(() => {
    if (!signal.aborted) onTimeOut();
  });
}
