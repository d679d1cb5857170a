import { existsSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { MANIFESTS, nearestPackage } from '../../core/plan/data/workdir.ts';
import { UserError } from '../../core/user-error.ts';
import type { SpecPlace } from '../place.ts';

/**
 * The folder in which agents and commands run, relative to the repository's root, with `/`; empty for the root: the one
 * that is set, else the package that the spec belongs to. Throws `UserError` for one that is not there or not in the
 * repository.
 */
export function workdirOf({ repository: { root }, spec, loaded }: SpecPlace): string {
  const { workdir } = loaded.settings;
  if (workdir !== undefined) return chosen(root, workdir);
  return nearestPackage(spec, (dir) => MANIFESTS.some((name) => existsSync(join(root, dir, name))));
}

function chosen(root: string, workdir: string): string {
  const dir = resolve(root, workdir);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(
      `workdir is not a folder: "${workdir}".`,
      'Name a folder in the repository, relative to its root.',
    );
  const [way, real] = [relative(root, dir), relative(realpathSync(root), realpathSync(dir))];
  if (leadsOut(way) || leadsOut(real))
    throw new UserError(
      `workdir is outside the repository: "${workdir}".`,
      'Name a folder in the repository, relative to its root (the root itself is ".").',
    );
  return way.split(sep).join('/');
}

function leadsOut(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
}
