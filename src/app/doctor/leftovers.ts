import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gitListing } from '../../adapters/git/listing.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { listWorktrees } from '../../adapters/git/worktree-list.ts';
import { listSpecs } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { branchFolder, ownerOf } from '../../adapters/workspace/branches.ts';
import { cacheFolder, setAsideFolder, worktreesFolder } from '../../adapters/workspace/location.ts';
import { specKey, TEMPORARY_SUFFIX } from '../../core/spec-files.ts';
import { counted } from '../../core/text/words.ts';
import { requireHome } from '../home-folder.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { holderOf, ownerText } from '../run/runs.ts';
import { type Finding, ok, warn } from './finding.ts';

/** What runs have left in a repository: coordinators at work, worktrees, temporary files, kept work and git's locks. */
export async function checkLeftovers(
  { roots }: Place,
  repository: RepositoryPlace,
  { env }: Host,
): Promise<readonly Finding[]> {
  const specs = await listSpecs(roots);
  const holders = await Promise.all(specs.map((spec) => runningIn(repository, spec)));
  const running = holders.flat();
  const kept = await gitListing({ root: repository.root, env }).branchesBelow('refs/specloop/');
  const isIdle = running.length === 0;
  return [
    ...running,
    ...(isIdle ? await worktreesOf(specs, repository, env) : []),
    ...(isIdle ? specs.flatMap(temporaryIn) : []),
    ...lockOf(repository),
    ...specs.flatMap((spec) => setAsideOf(spec, repository, env)),
    ...(kept.size === 0
      ? []
      : [
          ok(
            'kept work',
            `${counted(kept.size, 'ref')} with the work of failed attempts. List them with "git for-each-ref refs/specloop".`,
          ),
        ]),
  ];
}

async function runningIn(repository: RepositoryPlace, spec: SpecFolder): Promise<readonly Finding[]> {
  const holding = await holderOf({ repository, spec });
  if (!holding.held) return [];
  return [ok('runs', `${spec.name}: ${holding.owner === undefined ? 'another process' : ownerText(holding.owner)}.`)];
}

/** The worktrees of dead runs, which are known by their branches; a person may have removed either. */
async function worktreesOf(
  specs: readonly SpecFolder[],
  repository: RepositoryPlace,
  env: NodeJS.ProcessEnv,
): Promise<readonly Finding[]> {
  const refs = [
    ...(await gitListing({ root: repository.root, env }).branchesBelow('refs/heads/specloop-batch/')).keys(),
  ];
  if (refs.length === 0) return [];
  const trees = new Set((await listWorktrees(repository, env)).map(({ branch }) => `refs/heads/${branch}`));
  return specs.flatMap((spec) => {
    const { name } = spec;
    const folder = branchFolder(specKey(spec));
    const ours = refs.filter((ref) => ref.startsWith(`refs/heads/${folder}/`) && ownerOf(folder, ref));
    if (ours.length === 0) return [];
    const there = counted(ours.filter((ref) => trees.has(ref)).length, 'worktree');
    return [
      warn(
        'worktrees',
        `Killed runs of ${name} left ${there} and branches in ${folder}.`,
        `Nothing to do: the next run of ${name} removes them.`,
      ),
    ];
  });
}

function temporaryIn({ dir, path }: SpecFolder): readonly Finding[] {
  const names = readdirSync(dir).filter((name) => name.endsWith(TEMPORARY_SUFFIX));
  if (names.length === 0) return [];
  return [
    warn(
      'temporary files',
      `${path} has ${counted(names.length, 'file')} left by a killed run.`,
      'Nothing to do: the next run removes them.',
    ),
  ];
}

/** What runs found in the place of their worktrees and could neither keep nor remove; only a person takes it away. */
function setAsideOf(spec: SpecFolder, { commonDir }: RepositoryPlace, env: Host['env']): readonly Finding[] {
  const cacheDir = cacheFolder({ env, home: requireHome(env, 'XDG_CACHE_HOME') });
  const dir = setAsideFolder(worktreesFolder(cacheDir, commonDir, specKey(spec)));
  const runs = existsSync(dir) ? readdirSync(dir) : [];
  if (runs.length === 0) return [];
  const folders = runs.flatMap((run) => readdirSync(join(dir, run)));
  return [
    warn(
      'set aside',
      `${dir} has ${counted(folders.length, 'folder')} that runs of ${spec.name} could neither keep nor remove.`,
      'Check whether you need anything in it, then delete it.',
    ),
  ];
}

function lockOf({ gitDir }: RepositoryPlace): readonly Finding[] {
  const lock = join(gitDir, 'index.lock');
  if (!existsSync(lock)) return [];
  return [warn('git locks', `${lock} exists.`, 'If no git command is running here, delete it.')];
}
