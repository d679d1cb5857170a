import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findRepository } from '../../adapters/git/repository.ts';
import { specAt } from '../../adapters/store/spec-folder.ts';
import { specKey } from '../../core/spec-files.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/**
 * The same spec in another worktree of the repository, with the settings that were loaded. Throws `UserError` if the spec
 * is not in that tree, or git cannot work in it.
 */
export async function placeInTree(place: SpecPlace, dir: string, env: Host['env']): Promise<SpecPlace> {
  const found = await findRepository(dir, env);
  if (found.is !== 'repository' || found.place.commonDir !== place.repository.commonDir)
    throw new UserError(
      `git does not work in the worktree ${dir}.`,
      'Run "git status" there to see why, or remove it with "git worktree remove".',
    );
  const { root } = found.place;
  const resolved = specAt({ ...place.roots, cwd: root, repository: root }, specKey(place.spec));
  if (!resolved.ok) throw new UserError(`In the worktree ${root}: ${resolved.message}`, resolved.hint);
  const roots = { ...place.roots, cwd: folderIn(root, place), repository: root };
  // What is typed for it is typed where the command was given.
  const spec = { ...resolved.spec, operand: place.spec.operand };
  return { ...place, repository: found.place, roots, spec };
}

/** The folder that we were started in, as it is in the other tree; its root if there is none. */
function folderIn(root: string, { repository, roots }: SpecPlace): string {
  const cwd = join(root, relative(repository.root, realpathSync(roots.cwd)));
  return existsSync(cwd) ? cwd : root;
}
