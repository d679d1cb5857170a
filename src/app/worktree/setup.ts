import { join } from 'node:path';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { allowedEnvironment } from '../../adapters/process/environment.ts';
import { newMark, nodeProcesses } from '../../adapters/process/node.ts';
import { redaction } from '../../adapters/process/redaction.ts';
import { runFolder } from '../../adapters/store/run-folder.ts';
import { copyIgnored } from '../../adapters/workspace/chosen-files.ts';
import { cacheFolder, hashOf } from '../../adapters/workspace/location.ts';
import { Setup } from '../../adapters/workspace/setup.ts';
import { SetupCache } from '../../adapters/workspace/setup-cache.ts';
import { visible } from '../../core/text/sanitise.ts';
import { UserError } from '../../core/user-error.ts';
import type { Processes } from '../../ports/process.ts';
import { requireHome } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { privateFolderOf } from '../run/runs.ts';
import type { OnStop } from '../start/order.ts';
import { chooseSandbox } from '../trust/sandbox.ts';
import { secretsOf } from '../trust/secrets.ts';

/** A worktree that is to be made ready to work in. */
export interface WorktreeSetupOrder {
  /** The spec in the tree that we were started in. */
  readonly from: SpecPlace;
  /** The same in the worktree. */
  readonly to: SpecPlace;
}

/**
 * Copies the ignored files that the settings choose into a fresh worktree and runs the setup command in it, as is done for
 * the members of a batch (R-PAR-3). What it executes was trusted before (R-SEC-1). A signal ends it. Throws `UserError` if
 * the command fails.
 */
export async function setUpWorktree({ from, to }: WorktreeSetupOrder, host: Host, onStop: OnStop): Promise<void> {
  const { env, notify } = host;
  const { settings } = from.loaded;
  const trees = { from: from.repository.root, to: to.repository.root };
  const listing = gitListing({ root: trees.from, env });
  const copied = await copyIgnored(listing, trees, settings.worktree?.copy ?? []);
  const argv = settings.worktree?.setup;
  if (argv === undefined) return;
  notify(`Running its setup command: ${visible(argv.join(' '))}`);
  const processes = await processesFor(to, host);
  const stopping = new AbortController();
  onStop(
    () => stopping.abort(),
    () => processes.close(),
  );
  try {
    const setup = setupFor({ from, to }, { env, processes, argv });
    const base = (await gitCli({ root: trees.to, env }).inspect({ dir: trees.to })).head ?? '';
    const outcome = await setup.run({ name: SETUP_NAME, tree: trees.to, base, copied, signal: stopping.signal });
    if (outcome.how === 'failed')
      throw new UserError(outcome.problem, `Fix this (in ${trees.to} too), then run the same command again.`);
  } finally {
    await processes.close();
  }
}

/** The folder of its log, in the spec's private folder. */
const SETUP_NAME = 'worktree';

function setupFor(
  { from, to }: WorktreeSetupOrder,
  {
    env,
    processes,
    argv,
  }: {
    readonly env: Host['env'];
    readonly processes: Processes;
    readonly argv: readonly [string, ...string[]];
  },
): Setup {
  const { root, commonDir } = to.repository;
  const { passEnv, taskTimeout } = from.loaded.settings;
  const logs = runFolder(privateFolderOf(to));
  const ours = join(cacheFolder({ env, home: requireHome(env, 'XDG_CACHE_HOME') }), 'specloop');
  return new Setup({
    git: gitCli({ root, env }),
    listing: gitListing({ root, env }),
    processes,
    command: {
      argv,
      timeoutMs: taskTimeout,
      environment: allowedEnvironment(env, { pass: passEnv }),
      logPath: (name) => logs.logPath(`${name}/setup.log`),
    },
    cache: new SetupCache(join(ours, 'setup', hashOf(commonDir))),
  });
}

async function processesFor({ loaded: { settings }, repository }: SpecPlace, host: Host): Promise<Processes> {
  const { bookkeeping, containment } = settings;
  const sandbox = await chooseSandbox({ settings, repository, bookkeeping }, host);
  const redact = redaction(secretsOf(host.env));
  return nodeProcesses({ runMark: newMark(), containment, redact, ...(sandbox && { sandbox }) });
}
