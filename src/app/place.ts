import { findRepository, type RepositoryPlace } from '../adapters/git/repository.ts';
import { resolveSpec } from '../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../adapters/store/spec-place.ts';
import type { SpecRoots } from '../adapters/store/spec-roots.ts';
import { type LoadedSettings, loadSettings, type Sources } from '../config/load.ts';
import { isOfCommand } from '../config/origin.ts';
import { visible } from '../core/text/sanitise.ts';
import { UserError } from '../core/user-error.ts';
import { homeFolder } from './home-folder.ts';
import type { Host } from './host.ts';

/** Where a command acts, and the settings that hold there. */
export interface Place {
  /** Absent in a folder that is no repository. */
  readonly repository?: RepositoryPlace;
  readonly roots: SpecRoots;
  readonly loaded: LoadedSettings;
}

/** A spec in a repository. */
export interface SpecPlace extends Place {
  readonly repository: RepositoryPlace;
  readonly spec: SpecFolder;
}

/**
 * Finds the repository and loads the settings; what is odd about them is a notice. Throws `UserError` for settings
 * that make no sense and a repository that git does not trust, `GitFault` without git.
 */
export async function findPlace(host: Host, flags: Sources['flags'] = host.flags): Promise<Place> {
  const { cwd, env, notify } = host;
  const place = await placeIn(await repositoryOf(cwd, env), host, flags);
  for (const warning of place.loaded.warnings) notify(`Warning: ${visible(warning)}`);
  return place;
}

/** The place that a repository, or a folder without one, is with its settings. Throws `UserError` as above. */
export async function placeIn(
  repository: RepositoryPlace | undefined,
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
  flags?: Sources['flags'],
): Promise<Place> {
  const root = repository?.root ?? cwd;
  const loaded = await loadSettings({
    root,
    env: { ...env, HOME: homeFolder(env) },
    ...(flags === undefined ? {} : { flags }),
  });
  const { specsDirs, dialect } = loaded.settings;
  const isDialectOfCommand = isOfCommand(loaded.origins.get('dialect'));
  const roots = { cwd, repository: root, specsDirs, dialect, isDialectOfCommand };
  return { roots, loaded, ...(repository === undefined ? {} : { repository }) };
}

/** The spec of this name, or the active one, or the only one, which is a notice. Throws `UserError` if there is none. */
export async function specIn({ roots }: Place, { notify }: Pick<Host, 'notify'>, name?: string): Promise<SpecFolder> {
  const resolved = await resolveSpec(roots, name);
  if (resolved.ok && resolved.isOnly) notify(`Using the spec ${resolved.spec.name}, the only one here.`);
  if (resolved.ok) return resolved.spec;
  throw new UserError(resolved.message, resolved.hint);
}

/** The repository of a place. Throws `UserError` where there is none. */
export function inRepository({ repository }: Place, { cwd }: Pick<Host, 'cwd'>): RepositoryPlace {
  if (repository !== undefined) return repository;
  throw new UserError(
    `${cwd} is not in a git repository.`,
    'Change to one, or create one with "git init", then run the command again.',
  );
}

async function repositoryOf(cwd: string, env: Host['env']): Promise<RepositoryPlace | undefined> {
  const found = await findRepository(cwd, env);
  switch (found.is) {
    case 'repository':
      return found.place;
    case 'none':
      return undefined;
    case 'bare':
      throw new UserError(
        `${found.gitDir} is a bare repository; it has no working tree.`,
        'Run the command in a clone or a worktree of it.',
      );
    case 'elsewhere':
      throw new UserError(
        `The repository in ${found.gitDir} has its working tree in ${found.root} (core.worktree), and ${cwd} is not in it.`,
        'Run the command there, or correct the setting: git config --unset core.worktree.',
      );
    case 'distrusted':
      throw new UserError(`git refuses to work in ${cwd}, which belongs to another user.`, found.reason);
  }
}
