import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  isCurrentSpec,
  isOfSpec,
  isPrivate,
  pathInFolder,
  type SpecLayout,
  TEMPORARY_SUFFIX,
} from '../../core/spec-files.ts';
import type { GitListing } from '../../ports/git.ts';
import { contentHash } from './content-hash.ts';
import { copyPaths, makeFolder, type Trees } from './copy.ts';
import { ifThere } from './fault.ts';

/** A file at the repository's root whose lines, as those of a `.gitignore`, choose what fresh worktrees get a copy of. */
const INCLUDE_FILE = '.worktreeinclude';

/**
 * Copies the ignored files that the patterns and the repository's include file choose, and returns their paths. One that
 * is gone by then is left out.
 */
export async function copyIgnored(
  listing: GitListing,
  trees: Trees,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const text = ifThere(() => readFileSync(join(trees.from, INCLUDE_FILE), 'utf8'));
  const paths = await listing.ignoredMatching({ dir: trees.from }, [...patterns, ...linesOf(text ?? '')]);
  const chosen = paths.filter((path) => !isOurs(path));
  await copyPaths(trees, chosen);
  return chosen;
}

/** The coordinator's own files: they are of one run in one tree. */
function isOurs(path: string): boolean {
  return isPrivate(path) || isCurrentSpec(path) || path.endsWith(TEMPORARY_SUFFIX);
}

/** The lines of an ignore list that say something. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\) +$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/**
 * Copies the texts of the spec that the commit does not hold, because the repository ignores them or they were never
 * committed (R-START-6). Returns the hash of each text by its path; `undefined` if something that is no folder is in the way.
 */
export async function copySpec(trees: Trees, spec: SpecLayout): Promise<Readonly<Record<string, string>> | undefined> {
  if (!(await makeFolders(trees.to, spec.path))) return undefined;
  const entries = ifThere(() => readdirSync(join(trees.from, spec.path), { withFileTypes: true }));
  const paths = (entries ?? [])
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && !isOurs(entry.name))
    .map(({ name }) => pathInFolder(spec.path, name))
    .filter((path) => isOfSpec(path, spec));
  await copyPaths(trees, paths);
  return Object.fromEntries(paths.map((path) => [path, contentHash(join(trees.to, path)) ?? '']));
}

async function makeFolders(root: string, path: string): Promise<boolean> {
  const parts = path.split('/');
  for (let n = 1; n <= parts.length; n++) {
    if ((await makeFolder(join(root, ...parts.slice(0, n)))) === 'blocked') return false;
  }
  return true;
}
