import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_TIMEOUTS, gitCalls } from '../../adapters/git/calls.ts';
import type { RepositoryPlace } from '../../adapters/git/repository.ts';
import { TEMPORARY_SUFFIX } from '../../adapters/store/atomic-write.ts';
import { privateFolder } from '../../adapters/store/private-folder.ts';
import { listSpecs, type SpecFolder } from '../../adapters/store/spec-folder.ts';
import { counted } from '../../core/view/words.ts';
import type { Surroundings } from '../command.ts';
import type { Place } from '../place.ts';
import { holderOf, ownerText } from '../runs.ts';
import { type Finding, ok, warn } from './finding.ts';

/** What runs have left in a repository: coordinators at work, worktrees, temporary files, kept work and git's locks. */
export async function checkLeftovers(
  { roots }: Place,
  repository: RepositoryPlace,
  { env }: Surroundings,
): Promise<readonly Finding[]> {
  const specs = await listSpecs(roots);
  const holders = await Promise.all(specs.map((spec) => runningIn(repository, spec)));
  const running = holders.flat();
  const calls = gitCalls(env, DEFAULT_TIMEOUTS);
  const ask = async (args: readonly string[]) => (await calls.ask({ dir: repository.root }, args)).toString();
  const worktrees = (await ask(['worktree', 'list', '--porcelain']))
    .split('\n')
    .filter((line) => line.startsWith(`worktree ${privateFolder(repository.commonDir)}`));
  const kept = (await ask(['for-each-ref', '--format=%(refname)', 'refs/specloop'])).split('\n').filter(Boolean);
  const isIdle = running.length === 0;
  return [
    ...running,
    ...(isIdle && worktrees.length > 0
      ? [
          warn(
            'worktrees',
            `A dead run left ${counted(worktrees.length, 'worktree')}.`,
            'Nothing: the next run removes them.',
          ),
        ]
      : []),
    ...(isIdle ? specs.flatMap(temporaryIn) : []),
    ...lockOf(repository),
    ...(kept.length === 0
      ? []
      : [
          ok(
            'kept work',
            `${counted(kept.length, 'ref')} of failed attempts; "git for-each-ref refs/specloop" lists them.`,
          ),
        ]),
  ];
}

async function runningIn(repository: RepositoryPlace, spec: SpecFolder): Promise<readonly Finding[]> {
  const holding = await holderOf({ repository, spec });
  if (!holding.held) return [];
  return [ok('runs', `${spec.name}: ${holding.owner === undefined ? 'another process' : ownerText(holding.owner)}.`)];
}

function temporaryIn({ dir, path }: SpecFolder): readonly Finding[] {
  const names = readdirSync(dir).filter((name) => name.endsWith(TEMPORARY_SUFFIX));
  if (names.length === 0) return [];
  return [
    warn(
      'temporary files',
      `${path} has ${counted(names.length, 'file')} of a killed run.`,
      'Nothing: the next run removes them.',
    ),
  ];
}

function lockOf({ gitDir }: RepositoryPlace): readonly Finding[] {
  const lock = join(gitDir, 'index.lock');
  if (!existsSync(lock)) return [];
  return [warn('git locks', `${lock} is there.`, 'If no git is at work here, delete it.')];
}
