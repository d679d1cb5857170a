import type { Host } from '../host.ts';
import { type PluginAgent, type PluginPlace, type PluginScope, pluginPlace } from './agents.ts';
import { hasHooks, lookAtPlugin, pageAt } from './installed.ts';
import { shippedPlugin } from './shipped.ts';

/** How the plugin of an agent is installed. */
export interface PluginStatus {
  readonly place: PluginPlace;
  /** The version that is installed; absent if none is. */
  readonly version?: string;
  /** The version of this program. */
  readonly programVersion: string;
  /** Paths of its pages that were changed or removed since, and of the hooks file if hooks are missing. */
  readonly differing: readonly string[];
}

/** Looks at the plugin of an agent; changes nothing (R-SES-8). Throws `UserError` or `StorageFault`. */
export async function pluginStatus(agent: PluginAgent, scope: PluginScope, host: Host): Promise<PluginStatus> {
  const place = await pluginPlace(agent, scope, host);
  const shipped = shippedPlugin(agent);
  const installed = lookAtPlugin(place, shipped);
  const { record, files } = installed;
  const programVersion = shipped.version;
  if (record === undefined) return { place, programVersion, differing: [] };
  const pages = Object.keys(files.recorded).filter((name) => files.found[name] !== files.recorded[name]);
  const isCurrent = record.version === programVersion;
  const lacksHooks = place.hooks !== undefined && isCurrent && !hasHooks(place, installed, shipped);
  return {
    place,
    version: record.version,
    programVersion,
    differing: [
      ...pages.map((name) => pageAt(place, name).path),
      ...(lacksHooks && place.hooks !== undefined ? [place.hooks.path] : []),
    ],
  };
}
