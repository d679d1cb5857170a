import { foundState, requireState } from '../../src/app/start/known-state.ts';
import type { readState } from '../../src/app/start/state-text.ts';
import { takeOver } from '../../src/app/start/take-over.ts';
import { DEFAULT_ADMISSIONS } from '../../src/core/answer/contradiction.ts';
import type { Plan } from '../../src/core/plan/data/task.ts';
import { formatOf } from '../../src/core/plan/dialects/formats.ts';
import type { PlanFormat } from '../../src/core/plan/format.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { RunState } from '../../src/core/run/data/state.ts';
import type { StopSignal } from '../../src/core/run/data/stop-signal.ts';
import { isTreeHandedOver } from '../../src/core/run/drivers.ts';
import { fold } from '../../src/core/run/evolve.ts';
import { holdsWork } from '../../src/core/run/holds-work.ts';
import { questionsAsked } from '../../src/core/run/questions.ts';
import { commitMessages } from '../../src/core/run/record/commit-message.ts';
import { choosePolicy } from '../../src/core/run/start/choose-policy.ts';
import { isUnfinished } from '../../src/core/run/start/is-unfinished.ts';
import { preflight } from '../../src/core/run/start/preflight.ts';
import { usersPaths } from '../../src/core/run/start/users-paths.ts';
import type { SpecLayout } from '../../src/core/spec-files.ts';
import { UserError } from '../../src/core/user-error.ts';
import { execute, type RunIdentity } from '../../src/engine/execute.ts';
import { HandedOver } from '../../src/engine/lane/handed-over.ts';
import { readPlanText } from '../../src/engine/lane/plan-text.ts';
import { type World as EngineWorld, recordTrailers } from '../../src/engine/lane/world.ts';
import { open } from '../../src/engine/open.ts';
import { planAtStart } from '../../src/engine/plan-at-start.ts';
import { type AfterKilledRun, afterKilledRun } from '../../src/engine/watch/after-killed-run.ts';
import { readWatchRecord, WATCH_RECORD, type WatchRecord } from '../../src/engine/watch/watch-record.ts';
import type { Git } from '../../src/ports/git.ts';
import type { RecordedRun, RunArchive, SpecFiles } from '../../src/ports/store.ts';
import { agentIn } from './agents.ts';
import { draftingIn, planningIn, stepFormat, stepsIn } from './drafting.ts';
import type { Gate } from './gate.ts';
import { hostingIn } from './hosted/ports.ts';
import { archiveIn, clockIn, filesIn, gitIn, picturesIn, processesIn, watchIn, workspacesIn } from './ports.ts';
import { noteOvertaken, type Turn, turnOf } from './session.ts';
import { DEFAULT_BRANCH, ROOT, SPEC, type World } from './world.ts';

/** The ports of one coordinator. */
export interface Ports {
  readonly git: Git;
  readonly files: SpecFiles;
  readonly archive: RunArchive;
  readonly gate: Gate;
}

export function portsIn(world: World, gate: Gate): Ports {
  return { git: gitIn(world, gate), files: filesIn(world, gate), archive: archiveIn(world, gate), gate };
}

const tree = { dir: ROOT };
const LEASE_MS = 1_800_000;

/** One start of the coordinator, from the locks on, the way `implement` makes it. Throws as `implement` does. */
export async function startOnce(
  world: World,
  ports: Ports,
  onStop: (stop: (signal: StopSignal) => void) => void,
): Promise<RunState> {
  const { git, files, archive } = ports;
  const turn = turnOf(world);
  const found = await afterKill(world, ports, turn);
  const last = await lastState(ports);
  // A person who comes back to a gate decides there, and starts nothing again.
  if (last?.awaitsApproval !== undefined && last.ended?.result === 'waiting') return last;
  const steps = stepsIn(world, last);
  if (steps === undefined) await planIn(world, ports);
  await requireState(files, layoutIn(world), archive);
  const latest = await archive.latest();
  const newBranch = await mayBegin(world, git, latest);
  const processes = processesIn(world, ports.gate);
  if (latest) await processes.reap(latest.id);
  const plan = steps ?? (await planIn(world, ports));
  const format = steps === undefined ? formatIn(world) : stepFormat(steps);
  const state = latest && fold(latest.envelopes.map(({ event }) => event));
  const newest = latest && state && { run: latest, state, folder: archive.folder(latest.id) };
  const { state: stated, ...stateFile } = await foundState(files, {
    spec: layoutIn(world),
    newest,
    clock: world.clock,
  });
  const policy = policyFor(world, { latest, stated, totalTasks: plan.tasks.length });
  const opening = await open({
    git,
    tree,
    envelopes: latest?.envelopes ?? [],
    spec: { path: SPEC, format, progressFile: '.progress.md' },
    plan,
    policy,
    stated,
    now: world.clock.now(),
    ...(turn.driver !== undefined && { driver: turn.driver }),
    answers: answersIn(state),
    trailers: (task) => recordTrailers({ run: latest?.id ?? '' }, task),
  });
  return await execute({
    opening,
    spec: { format, progressFile: '.progress.md' },
    plan,
    stateFile,
    files,
    policy,
    agents: 'simulated',
    globalIteration: latest === undefined ? Math.max(0, (stated.globalIteration ?? 1) - 1) : 0,
    archive,
    clock: clockIn(world, ports.gate),
    show: () => {},
    onStop,
    ...(turn.driver !== undefined && {
      driver: { name: turn.driver, begins: turn.begins, leaseMs: () => LEASE_MS, newToken: () => world.newToken() },
    }),
    ...(world.scenario.maxTimeMs === undefined ? {} : { maxTimeMs: world.scenario.maxTimeMs }),
    ...(steps && { planning: planningIn(world) }),
    world: (identity) => engineWorld(world, ports, { identity, newBranch, format, ...found }),
  });
}

async function lastState({ archive }: Ports): Promise<RunState | undefined> {
  const latest = await archive.latest();
  return latest && fold(latest.envelopes.map(({ event }) => event));
}

/** A person answers all that the author of a document asked, before the start after it. */
function answersIn(state: RunState | undefined): ReadonlyMap<string, string> {
  return new Map((state === undefined ? [] : questionsAsked(state)).map(({ id }) => [id, 'This way.']));
}

function layoutIn(world: World): SpecLayout {
  return { path: SPEC, format: formatIn(world) };
}

function formatIn({ scenario }: World): PlanFormat {
  return formatOf(scenario.dialect ?? 'ralph-specum');
}

async function planIn(world: World, { git, files, archive }: Ports): Promise<Plan> {
  return await planAtStart({
    ...{ git, tree, spec: { path: SPEC, format: formatIn(world) } },
    read: async () => readPlanText(formatIn(world), await files.read('tasks.md')),
    newest: async () => (await archive.latest())?.envelopes ?? [],
  });
}

function policyFor(
  { scenario }: World,
  {
    latest,
    stated,
    totalTasks,
  }: {
    readonly latest: RecordedRun | undefined;
    readonly stated: Awaited<ReturnType<typeof readState>>['state'];
    readonly totalTasks: number;
  },
): Policy {
  const state = latest && fold(latest.envelopes.map(({ event }) => event));
  const previous = state ? { previous: { policy: state.policy, resumes: isUnfinished(state) } } : {};
  return choosePolicy({ told: {}, stated, configured: scenario.policy, totalTasks, ...previous });
}

/** What a killed run left of what judges the work is put right before anything is looked at. */
async function afterKill(world: World, { git, archive, gate }: Ports, turn: Turn): Promise<Found> {
  const latest = await archive.latest();
  const folder = latest && archive.folder(latest.id);
  const text = await folder?.readRecord(WATCH_RECORD);
  if (latest === undefined || folder === undefined || text === undefined) return {};
  await processesIn(world, gate).reap(latest.id);
  const record = readWatchRecord(text);
  if (record === undefined) world.violated('R-VER-14', 'The record of the watch cannot be read.');
  if (record?.handedOver) {
    await watchIn({ git, pictures: picturesIn(world, gate), folder }, { handedOver: record }).lookAgain();
    const state = fold(latest.envelopes.map(({ event }) => event));
    if (state === undefined) throw new Error('What was handed over is in no journal.');
    noteOvertaken(world, state, turn);
    return await takeOver({ run: latest, state, folder }, { ...turn, takeOver: true }, world.clock.now());
  }
  const killed = record && (await afterKilledRun(record, picturesIn(world, gate)));
  await folder.removeRecord(WATCH_RECORD);
  return { killed };
}

/** What an earlier coordinator left that is watched, or had to be put right. */
interface Found {
  readonly killed?: AfterKilledRun | undefined;
  readonly handedOver?: WatchRecord | undefined;
}

/** The checks before a run. Throws `UserError`. */
async function mayBegin(world: World, git: Git, latest: RecordedRun | undefined): Promise<string | undefined> {
  const { head, changes, ...found } = await git.inspect(tree);
  const state = latest && fold(latest.envelopes.map(({ event }) => event));
  const resumes = state !== undefined && isUnfinished(state);
  const { branch, operation } =
    state && isTreeHandedOver(state) ? { branch: state.branch, operation: undefined } : found;
  const paths = changes.map(({ path }) => path);
  const checked = preflight(
    {
      spec: 'demo',
      head,
      branch,
      operation,
      defaultBranch: DEFAULT_BRANCH,
      branches: branchesIn(world),
      hasIdentity: true,
      foreign: usersPaths(paths, layoutIn(world)),
      isInFlight: resumes && [...state.progress.values()].some(holdsWork),
    },
    { allowDirty: true, allowDefaultBranch: false },
  );
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  return checked.newBranch;
}

function branchesIn({ repository }: World): readonly string[] {
  return [...repository.refs.keys()].flatMap((ref) => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? []);
}

interface Begun extends Found {
  readonly identity: RunIdentity;
  readonly newBranch: string | undefined;
  readonly format: PlanFormat;
}

function engineWorld(
  world: World,
  { git, archive, gate }: Ports,
  { identity, newBranch, format, ...found }: Begun,
): EngineWorld {
  const folder = archive.folder(identity.run);
  const hosting = hostingIn(world, gate);
  const clock = clockIn(world, gate);
  return {
    spec: {
      name: 'demo',
      run: identity.run,
      path: SPEC,
      dir: `${ROOT}/${SPEC}`,
      format,
      progressFile: '.progress.md',
    },
    limitsFor: () => ({ taskTimeoutMs: 1_800_000, idleTimeoutMs: 600_000 }),
    verifyTimeoutMs: 600_000,
    promptBytesMax: 200_000,
    git,
    tree,
    lane: { kind: 'tree' },
    files: identity.files,
    progress: identity.progress,
    folder,
    processes: processesIn(world, gate),
    agentFor: (_role, name) => agentIn(world, gate, name),
    onAgentEvent: () => {},
    rewritten: async () => [],
    clock,
    plan: identity.plan,
    stateFile: identity.stateFile,
    proofs: identity.proofs,
    handedOver: new HandedOver(folder, clock),
    watch: watchIn({ git, pictures: picturesIn(world, gate), folder }, found),
    workspaces: workspacesIn(world, gate, { git, run: identity.run }),
    shell: 'bash',
    protect: [],
    environment: {},
    ignorePrivateFiles: async () => [],
    renewIndex: async () => [],
    coverage: async () => undefined,
    signal: identity.signal,
    timeIsUp: identity.timeIsUp,
    tell: identity.tell,
    commits: commitMessages(),
    redact: (text) => text,
    workdir: '',
    withheld: [],
    commandNetwork: 'allow',
    admissions: DEFAULT_ADMISSIONS,
    ...(newBranch === undefined ? {} : { newBranch }),
    ...(world.scenario.drafts && { drafting: draftingIn(world) }),
    ...(hosting && { hosting }),
  };
}
