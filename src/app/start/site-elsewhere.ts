import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';
import { type Home, notifyElsewhere } from '../worktree/home.ts';
import { bringHooks } from '../worktree/hooks.ts';
import type { OnStop } from './order.ts';
import { type Site, siteOf } from './site.ts';

/** The site of a spec in the worktree where it is, which is said; `start` is the place that the command was given in. */
export async function siteElsewhere(
  { start, ...home }: Home & { readonly start: SpecPlace },
  host: Host,
  { dryRun = false, onStop }: { readonly dryRun?: boolean; readonly onStop: OnStop },
): Promise<Site> {
  notifyElsewhere(home, host);
  if (!dryRun) await bringHooks(home.place.repository, host);
  return siteOf({ start, place: home.place }, host, onStop);
}
