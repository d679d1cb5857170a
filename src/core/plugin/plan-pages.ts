/** The files of a plugin by their names; each value stands for a content, such as its hash. */
export type Contents = Readonly<Record<string, string>>;

/** What is known of the files of an installed plugin. */
export interface PluginFiles {
  /** As this version of specloop writes them. */
  readonly shipped: Contents;
  /** As they are on disk; without those that are not there. */
  readonly found: Contents;
  /** As an install wrote them; empty if there was none. */
  readonly recorded: Contents;
}

/** What an install or uninstall does with them. */
export interface PagePlan {
  readonly write: readonly string[];
  readonly remove: readonly string[];
  /** Files that are not as an install wrote them: they belong to the user (R-SES-8). */
  readonly keep: readonly string[];
}

/** A file is replaced or removed only if it is, to the byte, what specloop wrote (R-SES-8). */
export function planInstall({ shipped, found, recorded }: PluginFiles): PagePlan {
  const wanted = Object.keys(shipped).filter((name) => found[name] !== shipped[name]);
  const isFree = (name: string) => found[name] === undefined || found[name] === recorded[name];
  const dropped = Object.keys(recorded).filter((name) => !(name in shipped) && found[name] !== undefined);
  return {
    write: wanted.filter(isFree),
    remove: dropped.filter(isFree),
    keep: [...wanted, ...dropped].filter((name) => !isFree(name)),
  };
}

/** The same for taking the plugin out. What a cut-off install wrote is known by its content. */
export function planUninstall({ shipped, found, recorded }: PluginFiles): PagePlan {
  const names = Object.keys(found).filter((name) => name in recorded || name in shipped);
  const isOurs = (name: string) => found[name] === recorded[name] || found[name] === shipped[name];
  return { write: [], remove: names.filter(isOurs), keep: names.filter((name) => !isOurs(name)) };
}
