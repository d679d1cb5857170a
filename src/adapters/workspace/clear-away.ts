import { mkdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Git, GitListing, GitWorktree, Snapshot } from '../../ports/git.ts';
import { GitFault } from '../../ports/git.ts';
import { branchOf, ownerOf } from './branches.ts';
import { contentHash } from './content-hash.ts';
import { codeOf, isMissing } from './fault.ts';
import type { Location, WorktreeFolder } from './location.ts';
import { type MadeOf, readMarker } from './marker.ts';

/** What clearing away works with. */
export interface Clearing {
  readonly git: Git;
  readonly listing: GitListing;
  readonly location: Location;
  /** Name of the spec, for the refs. */
  readonly spec: string;
  /** See `branchFolder`. */
  readonly branches: string;
}

/** The worktree that a ref keeps work of, and the last part of the ref's name. */
interface Keepsake extends Pick<WorktreeFolder, 'run' | 'segment'> {
  readonly name: 'commits' | 'pruned' | 'files';
}

/** See `Workspaces.prune`. Resolves with the refs and folders that keep work. */
export async function clearAll(clearing: Clearing): Promise<readonly string[]> {
  const { listing, location } = clearing;
  const [homes, records] = await Promise.all([location.homes(), listing.worktreesBelow(location.dir)]);
  const recordOf = new Map(records.map((record) => [record.dir, record]));
  const known = new Map(homes.map((home) => [home.dir, home]));
  for (const { dir } of records) {
    const home = location.homeOfTree(dir);
    if (home !== undefined && !known.has(home.dir)) known.set(home.dir, home);
  }
  const refs: string[] = [];
  for (const home of known.values()) {
    const kept = await keptAndRemoved(clearing, home, recordOf.get(home.tree));
    if (kept !== undefined) refs.push(kept);
  }
  // A worktree that an agent made inside of its own went with it; git does not know yet.
  for (const { dir, detachedAt } of await listing.worktreesBelow(location.dir)) {
    const around = [...known.values()].find((home) => dir.startsWith(`${home.dir}${sep}`));
    const kept = around && detachedAt && (await keepCommit(clearing, { ...around, name: 'pruned' }, detachedAt));
    if (kept) refs.push(kept);
    await clearing.git.removeWorktree(dir);
  }
  return [...refs, ...(await clearBranches(clearing))];
}

/**
 * Keeps what a home holds and removes it. One that this repository cannot read, as it was made by another one in the same
 * place, or that cannot be removed, is moved out of the way as it is: no leftover keeps a run from starting (R-ADV-6).
 */
async function keptAndRemoved(
  clearing: Clearing,
  home: WorktreeFolder,
  record: GitWorktree | undefined,
): Promise<string | undefined> {
  try {
    const kept = await keepWork(clearing, home, record);
    await removeHome(clearing, home);
    return kept;
  } catch (error) {
    if (!isOfHome(error)) throw error;
    return await moveAside(clearing, home);
  }
}

/** Whether the home is to blame, and not the disk. */
function isOfHome(error: unknown): boolean {
  if (error instanceof GitFault) return error.kind === 'other' || error.kind === 'not-writable';
  return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM';
}

/** Where it lies now: in its old place, if it cannot be moved either. */
async function moveAside({ location }: Clearing, home: WorktreeFolder): Promise<string> {
  const place = location.asideOf(home);
  try {
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    await rename(home.dir, place);
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return home.dir;
  }
  await removeIfEmpty(dirname(home.dir));
  await removeIfEmpty(location.dir);
  return place;
}

/** Removes the branches of all runs, in one step; the refs under which commits are kept that only a branch reached. */
async function clearBranches(clearing: Clearing): Promise<readonly string[]> {
  const { git, listing, branches } = clearing;
  const kept = new Map<string, string | undefined>();
  const ours: string[] = [];
  for (const [ref, commit] of await listing.branchesBelow(`refs/heads/${branches}/`)) {
    const owner = ownerOf(branches, ref);
    if (owner === undefined) continue;
    ours.push(ref);
    if (!kept.has(commit)) kept.set(commit, await keepCommit(clearing, { ...owner, name: 'pruned' }, commit));
  }
  await git.removeRefs(ours);
  return [...kept.values()].flatMap((ref) => ref ?? []);
}

/**
 * Removes a worktree with all that is in it. The marker goes first: of what a crash leaves from then on, no one
 * mistakes the missing files for work.
 */
export async function removeHome(
  { git, location }: Pick<Clearing, 'git' | 'location'>,
  { dir, tree, marker }: WorktreeFolder,
): Promise<void> {
  await rm(marker, { force: true });
  await git.removeWorktree(tree);
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  await removeIfEmpty(dirname(dir));
  await removeIfEmpty(location.dir);
}

/**
 * The commits that a worktree and its branch are on are kept, if they are not the one it was made at and no other ref
 * reaches them. Costs no process where both still are there.
 */
export async function keepCommits(clearing: Clearing, home: WorktreeFolder): Promise<void> {
  const { git, listing, branches } = clearing;
  const made = await readMarker(home.marker);
  if (made === undefined) return;
  // The agent may have damaged its worktree.
  const record = (await listing.worktreeAt(home.tree)) ?? (await listing.worktreesBelow(home.dir))[0];
  const tip = await git.readRef(`refs/heads/${branchOf(branches, home)}`);
  for (const commit of new Set([record?.detachedAt, tip]))
    if (commit !== undefined && commit !== made.base) await keepCommit(clearing, { ...home, name: 'commits' }, commit);
}

/** Keeps what is in no commit, and commits that no other ref reaches; the ref, if there was such work. Without its marker a worktree holds none. */
async function keepWork(
  clearing: Clearing,
  home: WorktreeFolder,
  record: GitWorktree | undefined,
): Promise<string | undefined> {
  const made = await readMarker(home.marker);
  if (made !== undefined && (await isThere(home.tree))) return keepTree(clearing, home, { made, record });
  const wasMade = made !== undefined || !(await isThere(home.dir));
  const alone = wasMade && record?.detachedAt;
  return alone ? keepCommit(clearing, { ...home, name: 'pruned' }, alone) : undefined;
}

async function keepTree(
  clearing: Clearing,
  home: WorktreeFolder,
  { made, record }: { readonly made: MadeOf; readonly record: GitWorktree | undefined },
): Promise<string | undefined> {
  const tree = { dir: home.tree };
  // Its `.git` leads nowhere, or to a worktree of another repository that was here before.
  if (record === undefined) return (await keepFiles(clearing, home))?.ref;
  try {
    const { head = made.base } = await clearing.git.inspect(tree);
    const keepsake = { ...home, name: 'pruned' } as const;
    const ref = await unusedRef(clearing, keepsake);
    const message = `Work that was left in the worktree of ${home.segment}`;
    const exclude = unchangedCopies(home, made);
    const snapshot = await clearing.git.snapshot(tree, { ref, base: head, message, exclude });
    return snapshot === undefined ? await keepCommit(clearing, keepsake, head) : ref;
  } catch (error) {
    if (!(error instanceof GitFault) || error.kind !== 'other') throw error;
    return (await keepFiles(clearing, home))?.ref; // Git cannot read it any more.
  }
}

/** See `Workspaces.salvage`. */
export async function keepFiles(
  clearing: Clearing,
  home: WorktreeFolder,
): Promise<(Snapshot & { readonly ref: string }) | undefined> {
  const made = await readMarker(home.marker);
  if (made === undefined) return undefined;
  const ref = await unusedRef(clearing, { ...home, name: 'files' });
  const message = `Files of the worktree of ${home.segment}, which git can no longer read`;
  const kept = await clearing.git.salvage(home.tree, { ref, base: made.base, message });
  return kept && { ...kept, ref };
}

/** Keeps a commit that no ref but a branch of ours reaches; the ref, if there was need. */
async function keepCommit(clearing: Clearing, keepsake: Keepsake, commit: string): Promise<string | undefined> {
  if (await clearing.listing.isReachable(commit, `refs/heads/${clearing.branches}/*`)) return undefined;
  const ref = await unusedRef(clearing, keepsake);
  await clearing.git.setRef(ref, commit);
  return ref;
}

/** A run that crashed twice may have left two worktrees of one name. */
async function unusedRef({ git, spec }: Clearing, { run, segment, name }: Keepsake): Promise<string> {
  const first = `refs/specloop/kept/${spec}/${run}/${segment}/${name}`;
  for (let n = 1; ; n++) {
    const ref = n === 1 ? first : `${first}-${n}`;
    if ((await git.readRef(ref)) === undefined) return ref;
  }
}

/** Copies that specloop made and no one changed are not work. */
function unchangedCopies({ tree }: WorktreeFolder, { copied }: MadeOf): readonly string[] {
  return Object.entries(copied).flatMap(([path, hash]) => (contentHash(join(tree, path)) === hash ? [path] : []));
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function removeIfEmpty(dir: string): Promise<void> {
  await rmdir(dir).catch((error: unknown) => {
    if (!isMissing(error) && !['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) throw error;
  });
}
