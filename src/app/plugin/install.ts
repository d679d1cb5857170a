import { addHooks, removeHooks } from '../../core/plugin/hook-settings.ts';
import { isNewer } from '../../core/plugin/is-newer.ts';
import { type PagePlan, planInstall, planUninstall } from '../../core/plugin/plan-pages.ts';
import type { Host } from '../host.ts';
import { type PluginAgent, type PluginPlace, type PluginScope, pluginPlace } from './agents.ts';
import { type FileChange, makeChanges } from './change.ts';
import { hasHooks, type Installed, inSettings, isOurHook, lookAtPlugin, pageAt } from './installed.ts';
import type { InstallRecord } from './record.ts';
import { type Shipped, shippedPlugin } from './shipped.ts';

/** What an install or uninstall did. */
export interface PluginChange {
  readonly place: PluginPlace;
  /** Of what is, or was, installed. */
  readonly version: string;
  /** It is newer than this program, and was left as it is. */
  readonly isNewer: boolean;
  /** Whether anything was changed; false the second time. */
  readonly changed: boolean;
  /** Paths of files that belong to the user and were left as they are, relative to the agent's folder. */
  readonly kept: readonly string[];
}

/**
 * Puts the plugin of an agent in, or brings it up to date; needs no program of the agent (R-SES-8). Pages come first, then the
 * record of them, and the hooks last, so that no hook calls what is half there. Throws `UserError` or `StorageFault`; then
 * nothing is changed.
 */
export async function installPlugin(agent: PluginAgent, scope: PluginScope, host: Host): Promise<PluginChange> {
  const place = await pluginPlace(agent, scope, host);
  const shipped = shippedPlugin(agent);
  const installed = lookAtPlugin(place, shipped);
  const version = installed.record?.version ?? shipped.version;
  if (isNewer(version, shipped.version))
    return { place, version, isNewer: true, changed: false, kept: differing(place, installed) };
  const plan = planInstall(installed.files);
  const hooks = hooksToInstall(place, installed, shipped);
  const record = recordOf(installed, { plan, version: shipped.version, hooks: hooks.pieces });
  const changes = [
    ...plan.write.map((name) => ({ at: pageAt(place, name), text: shipped.pages.get(name) })),
    ...plan.remove.map((name) => ({ at: pageAt(place, name), text: undefined })),
    ...(JSON.stringify(record) === JSON.stringify(installed.record) ? [] : [recordChange(place, record)]),
    ...hooks.change,
  ];
  makeChanges(changes);
  return {
    place,
    version: shipped.version,
    isNewer: false,
    changed: changes.length > 0,
    kept: namesOf(place, plan.keep),
  };
}

/** Takes it out: what it wrote, and nothing else (R-SES-8). Hooks go first. Throws as above. */
export async function uninstallPlugin(agent: PluginAgent, scope: PluginScope, host: Host): Promise<PluginChange> {
  const place = await pluginPlace(agent, scope, host);
  const shipped = shippedPlugin(agent);
  const installed = lookAtPlugin(place, shipped);
  const plan = planUninstall(installed.files);
  const changes = [
    ...hooksToRemove(place, installed),
    ...plan.remove.map((name) => ({ at: pageAt(place, name), text: undefined })),
    ...(installed.record === undefined ? [] : [recordChange(place, undefined)]),
  ];
  makeChanges(changes);
  const { version } = installed.record ?? shipped;
  return { place, version, isNewer: false, changed: changes.length > 0, kept: namesOf(place, plan.keep) };
}

interface Done {
  readonly plan: PagePlan;
  readonly version: string;
  readonly hooks: readonly string[];
}

/** A page of ours that the user changed is still recorded as ours, so that it is named as changed. */
function recordOf({ files }: Installed, { plan, version, hooks }: Done): InstallRecord {
  const isKept = ([name]: readonly [string, string]) => plan.keep.includes(name);
  const written = Object.entries(files.shipped).filter((entry) => !isKept(entry));
  const kept = Object.entries(files.recorded).filter(isKept);
  return { v: 1, version, files: Object.fromEntries([...written, ...kept]), hooks };
}

/** The files that are not as this version writes them. */
function differing(place: PluginPlace, { files: { shipped, found } }: Installed): readonly string[] {
  return namesOf(
    place,
    Object.keys(found).filter((name) => found[name] !== shipped[name]),
  );
}

interface HooksToInstall {
  readonly change: readonly FileChange[];
  readonly pieces: readonly string[];
}

function hooksToInstall(place: PluginPlace, installed: Installed, shipped: Shipped): HooksToInstall {
  const { hooks: groups } = shipped;
  const pieces = installed.record?.hooks ?? [];
  if (place.hooks === undefined || groups === undefined) return { change: [], pieces: [] };
  if (hasHooks(place, installed, shipped)) return { change: [], pieces };
  const { hooksText } = installed;
  const added = inSettings(place, () => {
    const without = hooksText && removeHooks(hooksText, pieces, isOurHook);
    return addHooks(without === '' ? undefined : without, groups);
  });
  return { change: [{ at: place.hooks, text: added.text }], pieces: added.pieces };
}

function hooksToRemove(place: PluginPlace, { hooksText, record }: Installed): readonly FileChange[] {
  if (place.hooks === undefined || hooksText === undefined) return [];
  const left = inSettings(place, () => removeHooks(hooksText, record?.hooks ?? [], isOurHook));
  return left === hooksText ? [] : [{ at: place.hooks, text: left === '' ? undefined : left }];
}

function recordChange(place: PluginPlace, record: InstallRecord | undefined): FileChange {
  return { at: place.record, text: record && `${JSON.stringify(record, undefined, 2)}\n` };
}

function namesOf(place: PluginPlace, names: readonly string[]): readonly string[] {
  return names.map((name) => pageAt(place, name).path);
}
