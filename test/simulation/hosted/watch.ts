import type { World } from '../world.ts';
import { MARKER } from './ci.ts';
import { BASE, BRANCH, type Hosted } from './hosted.ts';

/** R-PR-1, R-PR-6, R-PR-11: what must hold of everything that is pushed. */
export function watchPush(
  world: World,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): void {
  if (branch !== BRANCH)
    world.violated('R-PR-1', `The coordinator pushed to ${branch}, which is not the run's branch.`);
  const { files } = world.repository.commit(commit);
  for (const [path, text] of files)
    if (MARKER.test(text)) world.violated('R-PR-11', `${path} was pushed with conflict markers.`);
}

/** R-PR-1, R-PR-12: what must hold of the forge at any moment. */
export function watchSite(world: World, { site, origin }: Hosted): void {
  const open = site.pullRequests.filter(({ state }) => state === 'open');
  if (open.length > 1) world.violated('R-PR-1', `There are ${open.length} open pull requests for the branch.`);
  const base = origin.commits.get(origin.branches.get(BASE) ?? '');
  if (base?.text.includes('specloop') || base?.text.includes('feat: part'))
    world.violated('R-PR-1', 'The coordinator wrote to the default branch.');
}
