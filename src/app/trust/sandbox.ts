import { join, resolve } from 'node:path';
import { hooksPath } from '../../adapters/git/hooks-path.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import type { Sandbox } from '../../adapters/process/sandbox.ts';
import { privateFolder } from '../../adapters/store/private-folder.ts';
import type { Settings } from '../../config/schema.ts';
import type { Policy } from '../../core/policy.ts';
import { UserError } from '../../core/user-error.ts';
import type { Containment } from '../../ports/process.ts';
import { homeFolder } from '../home-folder.ts';
import type { Host } from '../host.ts';

const TEMPORARY = ['/tmp', '/var/tmp'];

/** What a sandbox depends on. */
export interface SandboxOrder {
  readonly settings: Settings;
  readonly repository: RepositoryPlace;
  readonly bookkeeping: Policy['bookkeeping'];
}

/**
 * The sandbox of a run as a person wants it; `undefined` for none (R-SEC-3). One that is to be used if it works is given up
 * with a notice. Throws `UserError` if it has to work and does not.
 */
export async function chooseSandbox(
  { settings, repository, bookkeeping }: SandboxOrder,
  host: Pick<Host, 'cwd' | 'env' | 'notify'>,
): Promise<Sandbox | undefined> {
  const { sandbox: wanted, sandboxNetwork } = settings;
  if (wanted === 'off') {
    if (sandboxNetwork === 'allow') return undefined;
    throw new UserError('Only the sandbox can block the network, and it is off.', 'Add --sandbox strict.');
  }
  const sandbox = await makeSandbox({ settings, repository, bookkeeping }, host);
  const probe = await tryOut(sandbox);
  if (probe.works) return sandbox;
  if (wanted === 'strict') throw new UserError(probe.problem, 'Or use --sandbox auto to run without one.');
  host.notify(`${probe.problem} Agents and commands run without a sandbox.`);
  return undefined;
}

async function makeSandbox(
  { settings, repository, bookkeeping }: SandboxOrder,
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
): Promise<Sandbox> {
  const home = homeFolder(env) ?? '/';
  const hooks = await hooksPath({ dir: repository.root }, env);
  return {
    home,
    temporary: TEMPORARY,
    git: {
      dir: repository.commonDir,
      access: bookkeeping === 'agent' ? 'write' : 'read',
      readOnly: [privateFolder(repository.commonDir)],
    },
    writable: settings.sandboxWrite.map((path) =>
      /^~(\/|$)/.test(path) ? join(home, path.slice(1)) : resolve(cwd, path),
    ),
    ...(hooks === undefined ? {} : { hooksPath: hooks }),
  };
}

/** Whether a sandbox works for this person on this machine (R-SEC-3). */
export async function sandboxWorks(env: NodeJS.ProcessEnv): Promise<Containment> {
  return await tryOut({ home: homeFolder(env) ?? '/', temporary: TEMPORARY, writable: [] });
}

async function tryOut(sandbox: Sandbox): Promise<Containment> {
  const processes = nodeProcesses({ runMark: newMark(), containment: 'marker', sandbox });
  try {
    return await processes.probe();
  } finally {
    await processes.close();
  }
}
