import { GH_VARIABLES } from '../../adapters/forge/github/environment.ts';
import { gitHubForge } from '../../adapters/forge/github/github.ts';
import { type GitHubRepository, gitHubRepository } from '../../adapters/forge/github/repository.ts';
import { branchRemote } from '../../adapters/git/remote/branch-remote.ts';
import { gitRemote } from '../../adapters/git/remote/git-remote.ts';
import { allowedEnvironment, PROXY_VARIABLES } from '../../adapters/process/environment.ts';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import { workflowTexts } from '../../adapters/store/workflow-texts.ts';
import { UserError } from '../../core/user-error.ts';
import { ForgeFault } from '../../ports/forge.ts';
import type { Hosting } from '../../ports/hosting.ts';
import type { Processes } from '../../ports/process.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/** What signs `gh` in, and what it needs to reach its host. No agent gets it, nor any other command (R-PR-7). */
const FORGE_VARIABLES = [...GH_VARIABLES, ...PROXY_VARIABLES];

/** Where the branch of a run is hosted, as far as that is known without asking anyone. */
export interface HostingPlace {
  readonly remote: string;
  readonly repository: GitHubRepository;
}

/** The remote of a branch and the repository it belongs to on a forge; `undefined` if either is missing (R-PR-8). */
export async function findHosting(
  { repository: { root } }: Pick<SpecPlace, 'repository'>,
  env: Host['env'],
  branch: string,
): Promise<HostingPlace | undefined> {
  const remote = await branchRemote({ root, env }, branch);
  if (remote === undefined) return undefined;
  const repository = gitHubRepository({ remoteUrl: remote.url, env });
  return repository && { remote: remote.name, repository };
}

interface HostingOrder {
  readonly place: Pick<SpecPlace, 'repository' | 'loaded'>;
  readonly env: Host['env'];
  readonly processes: Processes;
  readonly hooksPath?: () => string | undefined;
  readonly signal?: AbortSignal;
}

/** Binds forge and remote to this machine. */
export function hostingOf(
  { remote, repository }: HostingPlace,
  { place, env, processes, hooksPath, signal }: HostingOrder,
): Hosting {
  const { root } = place.repository;
  const environment = allowedEnvironment(env, { pass: [...place.loaded.settings.passEnv, ...FORGE_VARIABLES] });
  return {
    forge: gitHubForge({ repository, processes, env: environment, cwd: root, signal }),
    remote: gitRemote({ root, name: remote, env, ...(hooksPath && { hooksPath }), ...(signal && { signal }) }),
    environment,
    workflows: () => workflowTexts(root),
  };
}

/**
 * Asks the forge, before the first task, whether a pull request can be opened at all (R-PR-7). Throws `UserError` with the
 * command that mends it; a forge that cannot be reached now may be reachable later.
 */
export async function requireForge(found: HostingPlace, order: Omit<HostingOrder, 'processes'>): Promise<void> {
  const processes = nodeProcesses({ runMark: newMark(), containment: 'marker' });
  try {
    const { forge } = hostingOf(found, { ...order, processes });
    const { mayWrite, repository, user } = await forge.access();
    if (mayWrite) return;
    throw new UserError(
      `${user} may not write to ${repository}, so no pull request can be opened.`,
      'Sign in with another account (gh auth login), ask for write access, or pass --no-pr.',
    );
  } catch (error) {
    if (!(error instanceof ForgeFault) || error.trouble === 'limited' || error.trouble === 'unavailable') {
      if (error instanceof ForgeFault) return;
      throw error;
    }
    throw new UserError(error.message, 'Or pass --no-pr to leave the pull request out.');
  } finally {
    await processes.close();
  }
}
