import { gitCli } from '../../adapters/git/git-cli.ts';
import { findRepository, type RepositoryPlace, readFacts } from '../../adapters/git/repository.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import { type Place, placeIn } from '../place.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The repository of a folder, if there is one that can be worked in. */
export async function checkRepository({
  cwd,
  env,
}: Host): Promise<{ readonly findings: readonly Finding[]; readonly place?: RepositoryPlace }> {
  const about = 'repository';
  const found = await findRepository(cwd, env);
  switch (found.is) {
    case 'none':
      return {
        findings: [warn(about, `${cwd} is not in a git repository.`, 'Change to a git repository, or use --cwd.')],
      };
    case 'bare':
      return {
        findings: [
          fail(
            about,
            `${found.gitDir} is a bare repository without a working tree.`,
            'Work in a clone or a worktree of it.',
          ),
        ],
      };
    case 'elsewhere':
      return {
        findings: [
          fail(
            about,
            `${found.gitDir} has its working tree in ${found.root} (core.worktree), and ${cwd} is not in it.`,
            'Work there, or correct the setting: git config --unset core.worktree.',
          ),
        ],
      };
    case 'distrusted':
      return { findings: [fail(about, 'git does not trust it.', found.reason)] };
    case 'repository':
      return { findings: await findingsOf(found.place, env), place: found.place };
  }
}

async function findingsOf(place: RepositoryPlace, env: Host['env']): Promise<readonly Finding[]> {
  const about = 'repository';
  const [facts, { head, branch, operation }] = await Promise.all([
    readFacts(place, env),
    gitCli({ root: place.root, env }).inspect({ dir: place.root }),
  ]);
  const where = branch === undefined ? 'a detached HEAD' : `branch ${branch}`;
  return [
    ok(about, `${place.root}, on ${where}.`),
    ...(head === undefined ? [fail(about, 'It has no commit yet.', 'Make a first commit.')] : []),
    ...(branch === undefined ? [warn(about, 'A run needs a branch.', 'Switch to one: git switch <branch>.')] : []),
    ...(operation === undefined
      ? []
      : [warn(about, `"git ${operation}" is in progress.`, 'Finish or abort it before a run.')]),
    facts.hasIdentity
      ? ok('git identity', 'user.name and user.email are set.')
      : fail(
          'git identity',
          'user.name or user.email is not set.',
          'Run: git config --global user.name "<you>" and user.email.',
        ),
  ];
}

/** Whether the settings can be read, with what is odd about them. */
export async function checkSettings(
  repository: RepositoryPlace | undefined,
  host: Host,
): Promise<{ readonly findings: readonly Finding[]; readonly place?: Place }> {
  const about = 'settings';
  try {
    const place = await placeIn(repository, host);
    const files = new Set(
      [...place.loaded.origins.values()].flatMap((origin) => ('file' in origin ? [origin.file] : [])),
    );
    const from = files.size === 0 ? 'No settings file was found.' : `Read from ${[...files].join(' and ')}.`;
    const odd = place.loaded.warnings.map((warning) => warn(about, warning, 'Correct or remove the variable.'));
    return { findings: [ok(about, from), ...odd], place };
  } catch (error) {
    if (error instanceof UserError) return { findings: [fail(about, error.message, error.hint)] };
    throw error;
  }
}
