import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { systemClock } from '../../adapters/clock/system.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { rewrittenFiles } from '../../adapters/git/rewritten.ts';
import { allowedEnvironment, withheldNames } from '../../adapters/process/environment.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { gitWorkspaces } from '../../adapters/workspace/git-workspaces.ts';
import { cacheFolder } from '../../adapters/workspace/location.ts';
import type { Settings } from '../../config/schema.ts';
import type { Role } from '../../core/agent/role.ts';
import { DEFAULT_ADMISSIONS } from '../../core/answer/contradiction.ts';
import { commitMessages } from '../../core/run/record/commit-message.ts';
import { redactor } from '../../core/text/redact.ts';
import type { RunIdentity } from '../../engine/execute.ts';
import { HandedOver } from '../../engine/lane/handed-over.ts';
import type { AttemptLimits, World } from '../../engine/lane/world.ts';
import type { Processes } from '../../ports/process.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import type { Isolated } from '../../surfaces/isolate.ts';
import { makeAgents } from '../agents/agents.ts';
import { requireHome } from '../home-folder.ts';
import { ignorePrivateFiles } from '../ignore-private-files.ts';
import { bashOutside } from '../shell/bash.ts';
import { coverageIfAny } from '../spec/coverage.ts';
import { writeIndex } from '../spec/spec-index.ts';
import { secretsOf } from '../trust/secrets.ts';
import { hostingOf } from './hosting.ts';
import type { Ready } from './ready.ts';
import type { TakenOver } from './take-over.ts';
import { watchOf } from './watch.ts';

/** Binds the ports to this machine for one run. */
export function worldOf(
  ready: Ready & Pick<TakenOver, 'handedOver'>,
  run: RunIdentity & {
    readonly processes: Processes;
    /** Those that no sandbox confines: for what reaches the forge. */
    readonly unconfined: Processes;
    readonly surfaces: Pick<Isolated, 'active'>;
    readonly workdir: string;
  },
): World {
  const { host, place, agents, archive, hosting } = ready;
  const { env } = host;
  const { settings } = place.loaded;
  const { root } = place.repository;
  const environment = allowedEnvironment(env, { pass: settings.passEnv });
  const watch = watchOf(ready, run);
  const marked = { ...env, SPECLOOP_RUN_MARK: run.run };
  const hooksPath = () => watch.hooksPath;
  const { signal } = run;
  return {
    spec: { ...place.spec, run: run.run },
    limitsFor: (role) => limitsOf(settings, role),
    verifyTimeoutMs: settings.verifyTimeout,
    promptBytesMax: settings.maxPrompt,
    git: gitCli({ root, env: marked, hooksPath }),
    rewritten: rewrittenFiles(env),
    watch,
    tree: { dir: root },
    lane: { kind: 'tree' },
    files: run.files,
    progress: run.progress,
    workdir: run.workdir,
    folder: archive.folder(run.run),
    processes: run.processes,
    agentFor: agents
      ? makeAgents(agents, ready.fallback, { settings, env, processes: run.processes, newId: randomUUID })
      : noAgent,
    onAgentEvent: run.surfaces.active,
    clock: systemClock,
    plan: run.plan,
    stateFile: run.stateFile,
    proofs: run.proofs,
    handedOver: new HandedOver(archive.folder(run.run), systemClock),
    workspaces: workspacesOf(ready, run),
    shell: bashOutside(root, env),
    commandNetwork: settings.sandboxNetwork,
    environment,
    withheld: withheldNames(env, environment),
    ignorePrivateFiles: () => ignorePrivateFiles(place, env),
    renewIndex: async () => {
      const { files } = await writeIndex(place, host, { onlyIfThere: true });
      return files.map((file) => relative(root, file).replaceAll('\\', '/'));
    },
    coverage: () => coverageIfAny(place, host),
    signal,
    timeIsUp: run.timeIsUp,
    protect: settings.protect,
    redact: redactor(secretsOf(env)),
    commits: commitMessages(settings.commits),
    tell: run.tell,
    admissions: settings.admissions ?? DEFAULT_ADMISSIONS,
    doubts: settings.doubts,
    ...(hosting && {
      hosting: hostingOf(hosting, { place, env: marked, processes: run.unconfined, hooksPath, signal }),
    }),
    ...branchAndDrafting(ready),
  };
}

/** How long an attempt in a role may take, and be silent (R-DEL-2). */
export function limitsOf(settings: Settings, role: Role): AttemptLimits {
  return {
    taskTimeoutMs: settings.roles?.[role]?.taskTimeout ?? settings.taskTimeout,
    idleTimeoutMs: settings.roles?.[role]?.idleTimeout ?? settings.idleTimeout,
  };
}

function branchAndDrafting({ facts, drafts }: Ready): Pick<World, 'newBranch' | 'drafting'> {
  return {
    ...(facts.newBranch === undefined ? {} : { newBranch: facts.newBranch }),
    ...(drafts === undefined ? {} : { drafting: drafts.drafting }),
  };
}

function noAgent(): never {
  throw new Error('The work of agents is handed over in this run.');
}

function workspacesOf(
  { host: { env }, place, git, archive }: Ready,
  { run, processes }: RunIdentity & { readonly processes: Processes },
): Workspaces {
  const { root, commonDir } = place.repository;
  const { worktree, passEnv, taskTimeout } = place.loaded.settings;
  const folder = archive.folder(run);
  const setup = worktree?.setup && {
    argv: worktree.setup,
    environment: allowedEnvironment(env, { pass: passEnv }),
    timeoutMs: taskTimeout,
    logPath: (name: string) => folder.logPath(`${name}/setup.log`),
  };
  return gitWorkspaces({
    git,
    listing: gitListing({ root, env }),
    processes,
    repositoryRoot: root,
    commonDir,
    spec: place.spec,
    run,
    cacheDir: cacheFolder({ env, home: requireHome(env, 'XDG_CACHE_HOME') }),
    copy: worktree?.copy ?? [],
    specFilesOf: specFiles,
    ...(setup ? { setup } : {}),
  });
}
