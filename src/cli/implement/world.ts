import { excludeOnce } from '../../adapters/git/exclude.ts';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { ignoredPaths } from '../../adapters/git/repository.ts';
import { allowedEnvironment, withheldNames } from '../../adapters/process/environment.ts';
import { specFiles } from '../../adapters/store/spec-files.ts';
import { gitWorkspaces } from '../../adapters/workspace/git-workspaces.ts';
import { cacheFolder } from '../../adapters/workspace/location.ts';
import { DEFAULT_ADMISSIONS } from '../../core/answer/contradiction.ts';
import { commitMessages } from '../../core/run/commit-message.ts';
import { redactor } from '../../core/text/redact.ts';
import type { RunIdentity } from '../../engine/execute.ts';
import type { World } from '../../engine/world.ts';
import type { Processes } from '../../ports/process.ts';
import type { Workspaces } from '../../ports/workspace.ts';
import { bashOutside } from '../bash.ts';
import { requireHome } from '../home-folder.ts';
import type { SpecPlace } from '../place.ts';
import { PRIVATE_PATTERNS } from '../private-files.ts';
import { secretsOf } from '../secrets.ts';
import { makeAgents } from './agents.ts';
import type { Ready } from './ready.ts';
import type { RunSurfaces } from './surfaces.ts';
import { watchOf } from './watch.ts';

/** Binds the ports to this machine for one run. */
export function worldOf(
  ready: Ready,
  run: RunIdentity & {
    readonly processes: Processes;
    readonly surfaces: RunSurfaces;
    readonly workdir: string;
  },
): World {
  const { input, place, agents, archive, clock, before, newId } = ready;
  const { settings } = place.loaded;
  const { root, commonDir } = place.repository;
  const environment = allowedEnvironment(input.env, { pass: settings.passEnv });
  const watch = watchOf(ready, run);
  return {
    spec: { name: place.spec.name, run: run.run, path: place.spec.path, dir: place.spec.dir },
    limitsFor: (role) => ({
      taskTimeoutMs: settings.roles?.[role]?.taskTimeout ?? settings.taskTimeout,
      idleTimeoutMs: settings.roles?.[role]?.idleTimeout ?? settings.idleTimeout,
    }),
    verifyTimeoutMs: settings.verifyTimeout,
    git: gitCli({ root, env: { ...input.env, SPECLOOP_RUN_MARK: run.run }, hooksPath: () => watch.hooksPath }),
    watch,
    tree: { dir: root },
    files: run.files,
    progress: run.progress,
    workdir: run.workdir,
    folder: archive.folder(run.run),
    processes: run.processes,
    agentFor: makeAgents(agents, { settings, env: input.env, processes: run.processes, newId }),
    onActivity: run.surfaces.active,
    clock,
    plan: run.plan,
    stateFile: run.stateFile,
    calm: run.calm,
    memberWork: run.memberWork,
    proofs: run.proofs,
    workspaces: workspacesOf(ready, run),
    shell: bashOutside(root, input.env),
    commandNetwork: settings.sandboxNetwork,
    environment,
    withheld: withheldNames(input.env, environment),
    ignorePrivateFiles: () => ignorePrivateFiles(place, input.env, commonDir),
    signal: run.signal,
    protect: settings.protect,
    redact: redactor(secretsOf(input.env)),
    commits: commitMessages(settings.commits),
    tell: run.tell,
    admissions: settings.admissions ?? DEFAULT_ADMISSIONS,
    doubts: settings.doubts,
    ...(before.newBranch === undefined ? {} : { newBranch: before.newBranch }),
  };
}

function workspacesOf(
  { input, place, git, archive }: Ready,
  { run, processes }: RunIdentity & { readonly processes: Processes },
): Workspaces {
  const { root, commonDir } = place.repository;
  const { worktree, passEnv, taskTimeout } = place.loaded.settings;
  const folder = archive.folder(run);
  const setup = worktree?.setup && {
    argv: worktree.setup,
    environment: allowedEnvironment(input.env, { pass: passEnv }),
    timeoutMs: taskTimeout,
    logPath: (name: string) => folder.logPath(`${name}/setup.log`),
  };
  return gitWorkspaces({
    git,
    listing: gitListing({ root, env: input.env }),
    processes,
    repositoryRoot: root,
    commonDir,
    spec: place.spec,
    run,
    cacheDir: cacheFolder({ env: input.env, home: requireHome(input.env, 'XDG_CACHE_HOME') }),
    copy: worktree?.copy ?? [],
    specFilesOf: specFiles,
    ...(setup ? { setup } : {}),
  });
}

/** Adds ignore entries only where the repository does not ignore these files already (R-FILE-8). */
async function ignorePrivateFiles(
  { repository, spec }: SpecPlace,
  env: NodeJS.ProcessEnv,
  commonDir: string,
): Promise<readonly string[]> {
  const examples = [
    `${spec.path}/.ralph-state.json`,
    `${spec.path}/.progress-task-0.md`,
    'specs/.current-spec',
    `${spec.path}/.x.specloop-tmp`,
  ];
  const ignored = await ignoredPaths(repository, env, examples);
  if (ignored.length === examples.length) return [];
  return await excludeOnce(commonDir, PRIVATE_PATTERNS);
}
