import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gitCli } from '../../adapters/git/git-cli.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { copyPaths } from '../../adapters/workspace/copy.ts';
import {
  isOfSpec,
  isPrivate,
  pathInFolder,
  planPathOf,
  type SpecBooks,
  stateFileOf,
  TEMPORARY_SUFFIX,
} from '../../core/spec-files.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/** A fresh worktree that is to get the documents of a spec. */
export interface FillOrder {
  /** The spec in the tree that we were started in, which stays as it is. */
  readonly from: SpecPlace;
  /** Absolute path of the worktree. */
  readonly to: string;
  /** Whether its branch is new: what is on another one is newer than the user's tree. */
  readonly isNewBranch: boolean;
  /** Whether the state file comes along: it is only read for a spec that has no journal yet (R-FILE-7). */
  readonly withState: boolean;
}

/**
 * Brings the spec as it is in the user's tree into a fresh worktree, where its run commits it (R-START-6): changed and
 * deleted files, those that were never committed, and those that the repository ignores. Resolves with what was not
 * committed there.
 */
export async function fillWithSpec(
  { from, to, isNewBranch, withState }: FillOrder,
  env: Host['env'],
): Promise<readonly string[]> {
  const { root } = from.repository;
  const { spec } = from;
  const [{ changes }, ignored] = await Promise.all([
    gitCli({ root, env }).inspect({ dir: root }),
    gitListing({ root, env }).ignoredMatching({ dir: root }, ignoredPatterns(spec)),
  ]);
  const ofSpec = changes.filter(({ path }) => isOfSpec(path, spec));
  const stateFile = pathInFolder(spec.path, stateFileOf(spec));
  const isWanted = (path: string) => (path === stateFile ? withState : !isOurs(path));
  const pathsOf = (are: 'tracked' | 'untracked') =>
    ofSpec.flatMap(({ kind, path }) =>
      (kind === 'untracked') === (are === 'untracked') && isWanted(path) ? [path] : [],
    );
  const changed = isNewBranch ? pathsOf('tracked') : [];
  const untracked = pathsOf('untracked');
  for (const path of changed) await rm(join(to, path), { recursive: true, force: true });
  await copyPaths({ from: root, to }, [...changed, ...untracked, ...ignored.filter(isWanted)]);
  return [...changed, ...untracked];
}

/** What of a spec the repository may ignore, as patterns of git. */
function ignoredPatterns(spec: SpecBooks): readonly string[] {
  if (!spec.isSingleFile) return [`/${literally(spec.path)}/**`];
  const names = [spec.progressFile, stateFileOf(spec)].map((name) => pathInFolder(spec.path, name));
  return [planPathOf(spec), ...names].map((path) => `/${literally(path)}`);
}

/** Private files belong to a run in another tree. */
function isOurs(path: string): boolean {
  return isPrivate(path) || basename(path).endsWith(TEMPORARY_SUFFIX);
}

/** A path as a pattern of an ignore list that matches nothing else. */
function literally(path: string): string {
  return path.replace(/[\\*?[\]]/g, '\\$&');
}
