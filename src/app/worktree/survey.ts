import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { type RepositoryPlace, readFacts } from '../../adapters/git/repository.ts';
import { isVacant, type ListedWorktree, listWorktrees } from '../../adapters/git/worktree-list.ts';
import { readWorktreeRecord } from '../../adapters/store/worktree-record.ts';
import { isUnfinished } from '../../core/run/start/is-unfinished.ts';
import { preflight } from '../../core/run/start/preflight.ts';
import { UserError } from '../../core/user-error.ts';
import type { Git } from '../../ports/git.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { archiveOf, latestRun, privateFolderOf } from '../run/runs.ts';
import type { Survey } from './choose.ts';

/** Finds out the state of repository, runs and worktrees. Changes nothing. Throws `UserError` where no branch can be made. */
export async function surveyFor(place: SpecPlace, { env }: Pick<Host, 'env'>): Promise<Survey> {
  const { repository, spec } = place;
  const git = gitCli({ root: repository.root, env });
  const [trees, { head }, facts, latest] = await Promise.all([
    listWorktrees(repository, env),
    git.inspect({ dir: repository.root }),
    readFacts(repository, env),
    latestRun(archiveOf(place)),
  ]);
  const fresh = { branch: newBranch(spec.name, head, facts), at: head ?? '' };
  const wanted = wantedPath(repository, trees[0], spec.name);
  const record = readWorktreeRecord(privateFolderOf(place));
  const run = latest?.state.branch
    ? { branch: latest.state.branch, isUnfinished: isUnfinished(latest.state) }
    : undefined;
  return {
    spec: spec.name,
    operand: spec.operand,
    wanted,
    isVacant: isVacant(wanted),
    trees,
    branches: facts.branches,
    fresh,
    ...(run && { run: { ...run, isMerged: await isIn(git, repository, { branch: run.branch, head: fresh.at }) } }),
    ...(record && { record: { ...record, isUntouched: await isAt(git, record) } }),
  };
}

/**
 * The folder next to the repository that has its name and the spec's. Of a bare repository, and of one whose git folder
 * is elsewhere, no main tree is known: there it is next to the tree that we were started in.
 */
function wantedPath({ root, commonDir }: RepositoryPlace, main: ListedWorktree | undefined, spec: string): string {
  const isUsual = basename(commonDir) === '.git' && main?.dir === dirname(commonDir);
  const neighbour = isUsual ? dirname(commonDir) : root;
  return join(realpathSync(dirname(neighbour)), `${basename(neighbour)}-${spec}`);
}

/** The branch that a run of the spec gets where it may not work on the one it finds (R-START-2). */
function newBranch(
  spec: string,
  head: string | undefined,
  { branches, hasIdentity }: { readonly branches: readonly string[]; readonly hasIdentity: boolean },
): string {
  const protectedBranch = 'main';
  const facts = { spec, head, branch: protectedBranch, defaultBranch: protectedBranch, branches, hasIdentity };
  const tree = { operation: undefined, foreign: [], isInFlight: false };
  const checked = preflight({ ...facts, ...tree }, { allowDirty: false, allowDefaultBranch: false });
  if (!checked.ok) throw new UserError(checked.message, checked.hint);
  return checked.newBranch ?? '';
}

async function isIn(
  git: Git,
  { root }: RepositoryPlace,
  { branch, head }: { readonly branch: string; readonly head: string },
): Promise<boolean> {
  const tip = await git.readRef(`refs/heads/${branch}`);
  return tip !== undefined && (await git.isAncestor({ dir: root }, tip, head));
}

async function isAt(git: Git, { branch, at }: { readonly branch: string; readonly at?: string }): Promise<boolean> {
  return at !== undefined && (await git.readRef(`refs/heads/${branch}`)) === at;
}
