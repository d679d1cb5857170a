import { join } from 'node:path';
import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { allowedEnvironment, withheldNames } from '../../adapters/process/environment.ts';
import { nodeProcesses } from '../../adapters/process/node.ts';
import { redaction } from '../../adapters/process/redaction.ts';
import { nextRunId } from '../../adapters/store/run-id.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { gitWorkspaces } from '../../adapters/workspace/git-workspaces.ts';
import { cacheFolder } from '../../adapters/workspace/location.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import { redactor } from '../../core/text/redact.ts';
import { UserError } from '../../core/user-error.ts';
import { judgeProbe, type Probed, tasksToProbe } from '../../core/verify/probe.ts';
import { type CommandPlace, runCommand } from '../../engine/attempt/verify.ts';
import type { Git } from '../../ports/git.ts';
import type { Processes } from '../../ports/process.ts';
import { isProblem, type Workspace, type Workspaces } from '../../ports/workspace.ts';
import { requireHome } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { privateFolderOf } from '../run/runs.ts';
import { bashOutside } from '../shell/bash.ts';
import { workdirOf } from '../shell/workdir.ts';
import { planOf } from '../spec/plan-file.ts';
import { requireConfinement } from '../start/confinement.ts';
import { setupExecutables } from '../trust/executables.ts';
import { chooseSandbox } from '../trust/sandbox.ts';
import { secretsOf } from '../trust/secrets.ts';
import { planCommands, requireTrust } from '../trust/trust.ts';

/** How the Verify commands of a plan are tried. */
export interface ProbeOptions {
  /** Longest time of one command, in milliseconds. Default 30 seconds; never more than `verifyTimeout`. */
  readonly limitMs?: number;
  /** Take the commands as trusted, now and later (R-SEC-1). */
  readonly trust?: boolean;
  /** Ends the command that runs, and tries no other. */
  readonly signal?: AbortSignal;
}

const LIMIT_MS = 30_000;
const OUTPUT_BYTES_MAX = 8 * 1024;
const PURPOSE = 'probe';

/**
 * Runs the Verify command of each open task once, contained, in a worktree of the last commit that is thrown away: nothing of
 * the user's tree changes (R-PROBE-1). What one command leaves there, the next one does not see. Throws `UserError` in a
 * workspace that is not trusted with the commands, and where no worktree can be made.
 */
export async function probe(place: SpecPlace, host: Host, options: ProbeOptions = {}): Promise<readonly Probed[]> {
  const { plan, path } = await planOf(place.spec);
  const tasks = tasksToProbe(plan.tasks);
  if (tasks.length === 0) return [];
  const executables = [...planCommands({ ...plan, tasks }, path), ...setupExecutables(place.loaded.settings)];
  await requireConfinement(place.loaded.settings, host);
  await requireTrust({ place, executables, trust: options.trust === true }, host);
  const { settings } = place.loaded;
  const run = nextRunId(systemClock.now(), Math.random());
  const sandbox = await chooseSandbox({ settings, repository: place.repository, bookkeeping: 'coordinator' }, host);
  const processes = nodeProcesses({
    runMark: run,
    containment: settings.containment,
    redact: redaction(secretsOf(host.env)),
    ...(sandbox && { sandbox }),
  });
  const git = gitCli({ root: place.repository.root, env: { ...host.env, SPECLOOP_RUN_MARK: run } });
  const workspaces = workspacesFor(place, host, { git, processes, run });
  try {
    await workspaces.prune();
    return await tryAll(plan, { ...options, place, host, git, processes, workspaces });
  } finally {
    await processes.close();
    await workspaces.close(PURPOSE); // What commands left there is of no use.
    await workspaces.prune();
  }
}

interface Trial extends ProbeOptions {
  readonly place: SpecPlace;
  readonly host: Host;
  readonly git: Git;
  readonly processes: Processes;
  readonly workspaces: Workspaces;
}

async function tryAll(plan: Plan, trial: Trial): Promise<readonly Probed[]> {
  const { place, git, workspaces, signal = new AbortController().signal } = trial;
  const { head } = await git.inspect({ dir: place.repository.root });
  if (head === undefined)
    throw new UserError('The repository has no commit yet, so no worktree can be made of it.', 'Make one: git commit.');
  const opened = await workspaces.open({ name: PURPOSE, base: head, signal });
  if (isProblem(opened)) throw new UserError(opened.problem, 'Correct this, then run the command again.');
  const at = commandPlace(opened, { ...trial, signal });
  const probed: Probed[] = [];
  for (const task of tasksToProbe(plan.tasks)) {
    const order = { command: task.verifyCommand ?? '', log: `${task.key}.log`, outputBytesMax: OUTPUT_BYTES_MAX };
    const run = await runCommand(at, order);
    if (run === 'cancelled') break;
    probed.push(judgeProbe(task, run, plan.tasks));
    await git.restore(opened.tree, { branch: opened.branch, commit: head, exclude: [] });
  }
  return probed;
}

function commandPlace(
  { tree }: Workspace,
  { place, host: { env }, git, processes, limitMs = LIMIT_MS, signal }: Trial & { readonly signal: AbortSignal },
): CommandPlace {
  const { settings } = place.loaded;
  const environment = allowedEnvironment(env, { pass: settings.passEnv });
  return {
    git,
    processes,
    tree,
    workdir: workdirOf(place),
    shell: bashOutside(place.repository.root, env),
    environment,
    withheld: withheldNames(env, environment),
    commandNetwork: settings.sandboxNetwork,
    verifyTimeoutMs: Math.min(limitMs, settings.verifyTimeout),
    redact: redactor(secretsOf(env)),
    signal,
    folder: { logPath: (name) => logPath(place, name) },
  };
}

function workspacesFor(
  place: SpecPlace,
  { env }: Host,
  { git, processes, run }: { readonly git: Git; readonly processes: Processes; readonly run: string },
): Workspaces {
  const { repository, spec, loaded } = place;
  const { root, commonDir } = repository;
  const { worktree, passEnv, taskTimeout } = loaded.settings;
  const setup = worktree?.setup && {
    argv: worktree.setup,
    environment: allowedEnvironment(env, { pass: passEnv }),
    timeoutMs: taskTimeout,
    logPath: (name: string) => logPath(place, `${name}/setup.log`),
  };
  return gitWorkspaces({
    ...{ git, processes, spec, run, commonDir, purpose: PURPOSE },
    cacheDir: cacheFolder({ env, home: requireHome(env, 'XDG_CACHE_HOME') }),
    listing: gitListing({ root, env }),
    repositoryRoot: root,
    copy: worktree?.copy ?? [],
    specFilesOf: specFiles,
    ...(setup ? { setup } : {}),
  });
}

/** The newest output of each command, whole. */
function logPath(place: SpecPlace, name: string): string {
  return join(privateFolderOf(place), PURPOSE, name);
}
