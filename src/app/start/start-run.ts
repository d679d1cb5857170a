import { randomUUID } from 'node:crypto';
import { AGENT_KINDS } from '../../adapters/agent/agent-kinds.ts';
import { systemClock } from '../../adapters/clock/system.ts';
import { nodeProcesses } from '../../adapters/process/node.ts';
import { redaction } from '../../adapters/process/redaction.ts';
import type { Sandbox } from '../../adapters/process/sandbox.ts';
import { sweepTemporaryFolders } from '../../adapters/process/temporary-folder.ts';
import { sweepAllTemporaries, sweepTemporaries } from '../../adapters/store/atomic-write.ts';
import { branchPrivateFolder, privateFolder } from '../../adapters/store/private-folder.ts';
import type { Role } from '../../core/agent/role.ts';
import type { Plan } from '../../core/plan/task.ts';
import { planningPolicy } from '../../core/planning/planning-policy.ts';
import type { Policy } from '../../core/policy.ts';
import type { StatedLimits } from '../../core/run/choose-policy.ts';
import type { Envelope } from '../../core/run/event.ts';
import { fold } from '../../core/run/evolve.ts';
import type { RunState } from '../../core/run/state.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { redactor } from '../../core/text/redact.ts';
import { dialectNotes } from '../../core/view/dialect-notes.ts';
import { planNotes } from '../../core/view/plan-notes.ts';
import { type Driver, execute } from '../../engine/execute.ts';
import { readPlanText } from '../../engine/lane/plan-text.ts';
import { recordTrailers } from '../../engine/lane/world.ts';
import { open } from '../../engine/open.ts';
import { planAtStart } from '../../engine/plan-at-start.ts';
import type { Processes } from '../../ports/process.ts';
import type { RecordedRun } from '../../ports/store.ts';
import type { Isolated } from '../../surfaces/isolate.ts';
import { isolate, together } from '../../surfaces/isolate.ts';
import { recordsSurface } from '../../surfaces/records/records.ts';
import { agentNames } from '../agents.ts';
import { answersIn } from '../answers.ts';
import { HaltedRun } from '../explain.ts';
import type { Host } from '../host.ts';
import { checklistNotes } from '../open-checklists.ts';
import { privateFolderOf } from '../runs.ts';
import { chooseSandbox } from '../sandbox.ts';
import { secretsOf } from '../secrets.ts';
import { endDeadRun } from './end-dead-run.ts';
import { foundState, type NewestRun } from './known-state.ts';
import { wantsPullRequest, withPullRequest } from './pull-request.ts';
import type { Ready } from './ready.ts';
import { takeOver } from './take-over.ts';
import { limitsOf, worldOf } from './world.ts';

/** Cleans up after a dead run, then runs the spec to its end, or until work that was handed over has to be reported. */
export async function startRun(ready: Ready): Promise<RunState> {
  const { host, place, archive, git, files, order } = ready;
  const { repository, spec, loaded } = place;
  const { settings } = loaded;
  const processes = await cleanUp(ready);
  const latest = await archive.latest();
  const plan = await planNow(ready, latest);
  const newest = newestOf(ready, latest);
  const { state: stated, ...stateFile } = await foundState(files, { path: spec.path, newest, clock: systemClock });
  const taken = await takeOver(newest, order, systemClock.now());
  if (latest === undefined) mentionOnce(ready);
  const policy = policyOf(ready, plan, stated);
  const sandbox = await chooseSandbox({ settings, repository, bookkeeping: policy.bookkeeping }, host);
  const opening = await open({
    git,
    tree: { dir: repository.root },
    envelopes: latest?.envelopes ?? [],
    spec,
    plan,
    policy,
    stated,
    driver: order.driver,
    now: systemClock.now(),
    answers: latest && (await answersIn(archive.folder(latest.id))),
    trailers: (task) => recordTrailers({ run: latest?.id ?? '' }, task),
  });
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

/** What a person should know of the plan before it is run; the steps of planning say nothing by themselves. */
function notesOf({ drafts, place: { spec } }: Ready, plan: Plan, policy: Policy): readonly string[] {
  if (drafts !== undefined) return [];
  return [...dialectNotes(plan, policy, spec), ...checklistNotes(spec), ...planNotes(plan)];
}

function mentionMissingTests({ before, host, place, drafts }: Ready): void {
  if (place.loaded.settings.baseline && before.testCommand === undefined && drafts === undefined)
    host.notify('No test command was found: the regression gate is off. Set testCommand to turn it on.');
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
    ...{ git, spec, tree: { dir: repository.root } },
    read: async () => {
      const text = await files.read(spec.format.file);
      return text === plan.text ? plan : readPlanText(spec.format, text);
    },
    newest: async () => latest?.envelopes ?? [],
  });
}

/** What the run is bound by. */
function policyOf(ready: Ready, plan: Plan, stated: StatedLimits): Policy {
  const { before, order, place } = ready;
  const chosen = before.policyFor(plan, stated);
  const policy = {
    ...chosen,
    ...(order.answers === undefined ? {} : { answers: order.answers }),
    ...agentPolicy(ready),
  };
  if (ready.drafts !== undefined) return planningPolicy(policy);
  return asksForTrust(
    withPullRequest(policy, place.loaded.settings, wantsPullRequest(plan, { ...order, before })),
    ready,
  );
}

/** The names of the agents, where there is a choice (R-AGT-3). */
function agentPolicy({ agents, fallback }: Ready): Pick<Policy, 'agents'> {
  if (agents === undefined || fallback.length === 0) return {};
  const roles = Object.fromEntries(Object.entries(agents).map(([role, { name }]) => [role, name]));
  return { agents: { roles, fallback: fallback.map(({ name }) => name) } };
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
  { order, host, place, archive }: Ready,
  earlier: readonly Envelope[] = [],
): Promise<Isolated> {
  let run = '';
  const records = recordsSurface({ earlier, write: (name, text) => archive.folder(run).writeRecord(name, text) });
  const surfaces = [...(await order.surfaces({ place, earlier })), records];
  const shown = together(surfaces.map((surface) => isolate(surface, host.notify)));
  return {
    ...shown,
    show(envelope, state) {
      run = envelope.run;
      shown.show(envelope, state);
    },
  };
}

/** Without trust for all of this start, a command that an agent adds to the plan waits for it (R-SEC-1). */
function asksForTrust(policy: Policy, { order, host: { env }, place }: Ready): Policy {
  const holdsAddedCommands = !order.trust && env.SPECLOOP_TRUST !== '1';
  return { ...policy, holdsAddedCommands, trustCommand: commandLine('specloop', 'trust', place.spec.name) };
}

/**
 * What a killed run left running is ended before anything else, then its lock files and temporary files go (R-DEL-6).
 * Returns how processes of the coming run are made.
 */
async function cleanUp(ready: Ready): Promise<(runMark: string, sandbox?: Sandbox) => Processes> {
  const { host, place, archive } = ready;
  const redact = redaction(secretsOf(host.env));
  const { containment } = place.loaded.settings;
  const make = (runMark: string, sandbox?: Sandbox): Processes =>
    nodeProcesses({ runMark, containment, redact, ...(sandbox && { sandbox }) });
  const dead = await archive.latest();
  if (dead !== undefined) {
    await endDeadRun({ run: dead.id, commonDir: place.repository.commonDir }, make(dead.id), host);
    if (dead.torn) host.notify(`The last line of the journal of run ${dead.id} was cut off by a crash; it is ignored.`);
  }
  sweep(ready);
  return make;
}

/** Removes the temporary files of killed runs, from every place that the locks of this run keep for it. */
function sweep({ place, before }: Ready): void {
  const { commonDir } = place.repository;
  for (const dir of [place.spec.dir, privateFolder(commonDir)]) sweepTemporaries(dir);
  sweepAllTemporaries(branchPrivateFolder(commonDir, before.newBranch ?? before.branch));
  sweepAllTemporaries(privateFolderOf(place));
  sweepTemporaryFolders();
}

function mentionOnce(ready: Ready): void {
  mentionNode(ready.host);
  mentionLimits(ready);
}

/** Told once, with the first run of a spec; `doctor` tells it always. */
function mentionNode({ notify }: Host): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 22) notify(`Node ${major} no longer gets security fixes; Node 22 or 24 is recommended.`);
}

/** Told once as well: of which agents it is known that they met a usage limit (R-AGT-3). */
function mentionLimits({ host, agents }: Ready): void {
  if (agents === undefined || Object.values(agents).every(({ kind }) => kind.tellsLimits)) return;
  const telling = AGENT_KINDS.filter(({ tellsLimits }) => tellsLimits).map(({ name }) => name);
  host.notify(
    `Usage limits are detected only with --agent ${telling.join(', ')}; other programs have to report them in SPECLOOP_REPORT_FILE, else they count as failed attempts.`,
  );
}
