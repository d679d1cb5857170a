import { randomUUID } from 'node:crypto';
import { systemClock } from '../../adapters/clock/system.ts';
import type { Role } from '../../core/agent/role.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { fold } from '../../core/run/evolve.ts';
import { redactor } from '../../core/text/redact.ts';
import { type Driver, execute } from '../../engine/execute.ts';
import { readPlanText } from '../../engine/lane/plan-text.ts';
import { recordTrailers } from '../../engine/lane/world.ts';
import { type Opening, type OpeningFacts, open } from '../../engine/open.ts';
import { planAtStart } from '../../engine/plan-at-start.ts';
import type { Processes } from '../../ports/process.ts';
import type { RecordedRun } from '../../ports/store.ts';
import type { Isolated } from '../../surfaces/isolate.ts';
import { isolate, together } from '../../surfaces/isolate.ts';
import { recordsSurface } from '../../surfaces/records/records.ts';
import { agentNames } from '../agents/agents.ts';
import { HaltedRun } from '../explain.ts';
import { answersIn } from '../run/answers.ts';
import { chooseSandbox } from '../trust/sandbox.ts';
import { secretsOf } from '../trust/secrets.ts';
import { cleanUp } from './clean-up.ts';
import { foundState, type NewestRun } from './known-state.ts';
import { mentionMissingTests, mentionOnce, notesOf } from './notices.ts';
import type { Ready } from './ready.ts';
import { runPolicy } from './run-policy.ts';
import { takeOver } from './take-over.ts';
import { limitsOf, worldOf } from './world.ts';

/** Cleans up after a dead run, then runs the spec to its end, or until work that was handed over has to be reported. */
export async function startRun(ready: Ready): Promise<RunState> {
  const { host, place, archive, files, order } = ready;
  const { repository, spec, loaded } = place;
  const { settings } = loaded;
  const processes = await cleanUp(ready);
  const latest = await archive.latest();
  const plan = await planNow(ready, latest);
  const newest = newestOf(ready, latest);
  const { state: stated, ...stateFile } = await foundState(files, { spec, newest, clock: systemClock });
  const taken = await takeOver(newest, order, systemClock.now());
  if (latest === undefined) mentionOnce(ready);
  const policy = runPolicy(ready, plan, stated);
  const sandbox = await chooseSandbox({ settings, repository, bookkeeping: policy.bookkeeping }, host);
  const opening = await openRun(ready, latest, { plan, policy, stated });
  mentionMissingTests(ready);
  const surfaces = await surfacesFor(ready, opening.kind === 'resume' ? latest?.envelopes : []);
  for (const note of notesOf(ready, plan, policy)) host.notify(note);
  const running: Processes[] = [];
  const endAll = async () => {
    await Promise.all(running.map((group) => group.close()));
  };
  let isAtWork = false;
  try {
    const state = await execute({
      opening,
      spec,
      plan,
      stateFile,
      files,
      policy,
      agents: namesOf(ready),
      globalIteration: latest === undefined ? Math.max(0, (stated.globalIteration ?? 1) - 1) : 0,
      archive,
      clock: systemClock,
      show: (envelope, state) => {
        const { event } = envelope;
        isAtWork ||= event.type === 'effect-started' && event.effect.do !== 'prepare';
        surfaces.show(envelope, state);
      },
      onStop: (stop) => ready.onStop(stop, endAll),
      ...(settings.maxTime === undefined ? {} : { maxTimeMs: settings.maxTime }),
      ...driverOf(ready),
      ...(ready.drafts && { planning: ready.drafts.planning }),
      world: (identity) => {
        const started = startable((isConfined) => processes(identity.run, isConfined ? sandbox : undefined), {
          isApart: sandbox !== undefined && ready.hosting !== undefined,
        });
        running.push(...new Set(Object.values(started)));
        return worldOf({ ...ready, ...taken }, { ...identity, ...started, surfaces, workdir: policy.workdir ?? '' });
      },
    });
    await surfaces.close();
    return state;
  } catch (error) {
    throw isAtWork ? new HaltedRun(error) : error;
  } finally {
    await endAll();
  }
}

/** A new run, or the newest one where it is unfinished. */
async function openRun(
  { git, place: { repository, spec }, archive, order }: Ready,
  latest: RecordedRun | undefined,
  facts: Pick<OpeningFacts, 'plan' | 'policy' | 'stated'>,
): Promise<Opening> {
  return await open({
    ...facts,
    git,
    tree: { dir: repository.root },
    envelopes: latest?.envelopes ?? [],
    spec,
    driver: order.driver,
    now: systemClock.now(),
    answers: latest && (await answersIn(archive.folder(latest.id))),
    trailers: (task) => recordTrailers({ run: latest?.id ?? '' }, task),
  });
}

/** What programs are started with; what reaches the forge is signed in by files that no sandbox lets a program see. */
function startable(make: (isConfined: boolean) => Processes, { isApart }: { readonly isApart: boolean }) {
  const processes = make(true);
  processes.prepare();
  return { processes, unconfined: isApart ? make(false) : processes };
}

/** The plan, read again under the lock: what was read before it may have changed. */
async function planNow(
  { files, git, plan, drafts, place: { spec, repository } }: Ready,
  latest: RecordedRun | undefined,
): Promise<Plan> {
  if (drafts !== undefined) return plan;
  return await planAtStart({
    git,
    spec,
    tree: { dir: repository.root },
    read: async () => {
      const text = await files.read(spec.format.file);
      return text === plan.text ? plan : readPlanText(spec.format, text);
    },
    newest: async () => latest?.envelopes ?? [],
  });
}

/** The newest run with what it adds up to. */
function newestOf({ archive }: Ready, run: RecordedRun | undefined): NewestRun | undefined {
  const state = run && fold(run.envelopes.map(({ event }) => event));
  return run && state && { run, state, folder: archive.folder(run.id) };
}

/** Who the work of agents is handed over to, and for how long. */
function driverOf({ order: { driver, begins = true }, place }: Ready): { readonly driver?: Driver } {
  if (driver === undefined) return {};
  const leaseMs = (role: Role) => limitsOf(place.loaded.settings, role).taskTimeoutMs;
  return { driver: { name: driver, begins, leaseMs, newToken: randomUUID } };
}

/** Who does the work, for people. */
function namesOf({ agents, order, host }: Ready): string {
  return redactor(secretsOf(host.env))(agents ? agentNames(agents) : (order.driver ?? ''));
}

/** What shows the run, and the records that are kept of it; no one of them slows or stops it. */
async function surfacesFor(
  { order, host, place, archive, madeFrom }: Ready,
  earlier: readonly Envelope[] = [],
): Promise<Isolated> {
  let run = '';
  const records = recordsSurface({ earlier, write: (name, text) => archive.folder(run).writeRecord(name, text) });
  const surfaces = [...(await order.surfaces({ place, isElsewhere: madeFrom !== undefined, earlier })), records];
  const shown = together(surfaces.map((surface) => isolate(surface, host.notify)));
  return {
    ...shown,
    show(envelope, state) {
      run = envelope.run;
      shown.show(envelope, state);
    },
  };
}
