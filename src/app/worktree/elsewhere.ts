import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasLinkedWorktrees } from '../../adapters/git/worktree-list.ts';
import { folderToMake } from '../../adapters/store/spec-place.ts';
import { knownPaths } from '../../adapters/store/spec-roots.ts';
import type { Host } from '../host.ts';
import type { Place, SpecPlace } from '../place.ts';
import { homeOf } from './home.ts';

/**
 * The specs with a folder that a run began in another worktree of the repository and this tree does not have, as they would be in
 * this tree; `homeOf` leads to where they are. With a name, only those of that name. Changes nothing.
 */
export async function specsElsewhere(
  place: Place & Pick<SpecPlace, 'repository'>,
  host: Pick<Host, 'env'>,
  name?: string,
): Promise<readonly SpecPlace[]> {
  const { root, commonDir } = place.repository;
  if (!hasLinkedWorktrees(commonDir)) return [];
  const paths = knownPaths(commonDir).filter(
    (path) =>
      !/\.(?:md|markdown)$/i.test(path) &&
      (name === undefined || basename(path) === name) &&
      !existsSync(join(root, path)),
  );
  const found = await Promise.all(
    paths.map(async (path) => {
      const start = { ...place, spec: folderToMake(place.roots, path) };
      return (await homeOf(start, host)).elsewhere === undefined ? [] : [start];
    }),
  );
  return found.flat();
}
