import { existsSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findRepository } from '../../adapters/git/repository.ts';
import { specAt } from '../../adapters/store/spec-folder.ts';
import { folderToMake } from '../../adapters/store/spec-place.ts';
import { specKey } from '../../core/spec-files.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/**
 * The same spec in another worktree of the repository, with the settings that were loaded. Throws `UserError` if the spec
 * is not in that tree, or git cannot work in it.
 */
export async function placeInTree(place: SpecPlace, dir: string, env: Host['env']): Promise<SpecPlace> {
  const tree = await treeAt(place, dir, env);
  const resolved = specAt({ ...tree.roots, cwd: tree.repository.root }, specKey(place.spec));
  if (!resolved.ok) throw new UserError(`In the worktree ${tree.repository.root}: ${resolved.message}`, resolved.hint);
  // What is typed for it is typed where the command was given.
  return { ...tree, spec: { ...resolved.spec, operand: place.spec.operand } };
}

/** The place in another worktree that a new spec will have. Throws `UserError` if something is there, or git cannot work in it. */
export async function placeToMake(place: SpecPlace, dir: string, env: Host['env']): Promise<SpecPlace> {
  const tree = await treeAt(place, dir, env);
  const { path } = place.spec;
  if (existsSync(join(tree.repository.root, path)))
    throw new UserError(
      `The worktree ${tree.repository.root} has a folder ${path} already.`,
      `Run the command in that worktree, or choose another name.`,
    );
  return { ...tree, spec: { ...folderToMake(tree.roots, path), operand: place.spec.operand } };
}

/** Another worktree of the repository, with the settings that were loaded. */
async function treeAt(place: SpecPlace, dir: string, env: Host['env']): Promise<Omit<SpecPlace, 'spec'>> {
  const found = await findRepository(dir, env);
  if (found.is !== 'repository' || found.place.commonDir !== place.repository.commonDir)
    throw new UserError(
      `git does not work in the worktree ${dir}.`,
      'Run "git status" there to see why, or remove it with "git worktree remove".',
    );
  const { root } = found.place;
  const roots = { ...place.roots, cwd: folderIn(root, place), repository: root };
  return { loaded: place.loaded, repository: found.place, roots };
}

/** The folder that we were started in, as it is in the other tree; its root if there is none. */
function folderIn(root: string, { repository, roots }: SpecPlace): string {
  const cwd = join(root, relative(repository.root, realpathSync(roots.cwd)));
  return existsSync(cwd) ? cwd : root;
}
