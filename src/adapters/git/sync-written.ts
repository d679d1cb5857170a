import { readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { branchRefIn, commonFolderOf } from './git-folder.ts';

/** File systems keep times to two seconds at worst. */
const COARSE_MS = 2_000;
/** File times may lag this much behind the clock. */
const CLOCK_MS = 20;

/**
 * Lets the commit that git has just made outlast a power cut: syncs the objects that were written since `sinceMs`
 * (milliseconds since 1970), the branch and the index. Git would do that by a setting, which hooks would find in their
 * environment (R-ADV-5).
 */
export async function syncWritten(gitFolder: string, sinceMs: number): Promise<void> {
  const common = await commonFolderOf(gitFolder);
  const ref = await branchRefIn(gitFolder);
  const objects = newerIn(join(common, 'objects'), sinceMs, /^[0-9a-f]{2}$/).flatMap((folder) =>
    newerIn(folder, sinceMs, /^[0-9a-f]{38,}$/),
  );
  await Promise.all([...objects, join(gitFolder, 'index')].map(sync));
  // What points at the objects comes after them.
  if (ref !== undefined) await sync(join(common, ref));
}

function newerIn(folder: string, sinceMs: number, name: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((entry) => name.test(entry))
      .map((entry) => join(folder, entry))
      .filter((path) => isSince(statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0, sinceMs));
  } catch {
    return []; // Objects that are kept elsewhere.
  }
}

/** A time in whole seconds may be one that was rounded. */
function isSince(timeMs: number, sinceMs: number): boolean {
  return timeMs >= sinceMs - (timeMs % 1_000 === 0 ? COARSE_MS : CLOCK_MS);
}

/** What has gone in the meantime, or can't be synced there, needs no sync. */
async function sync(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch {
    // The commit is made all the same.
  }
}
