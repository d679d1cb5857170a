import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../adapters/agent/find-program.ts';
import { ignoredPaths } from '../../adapters/git/ignored-paths.ts';
import { gitListing } from '../../adapters/git/listing.ts';
import { readText } from '../../adapters/store/read-text.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import type { AskedFacts } from '../../core/artifact/check-spec.ts';
import type { Surrounding } from '../../core/artifact/checked-spec.ts';
import { GitFault } from '../../ports/git.ts';
import type { Host } from '../host.ts';
import type { Place } from '../place.ts';
import { workdirOf } from '../shell/workdir.ts';

const MANIFEST = 'package.json';
const MANIFEST_BYTES_MAX = 1024 * 1024;

/** Looks for the paths and programs that a spec names (R-PLAN-5). Runs nothing of the repository. */
export async function surroundingOf(
  { repository, ...place }: Place & { readonly spec: SpecFolder },
  { env }: Pick<Host, 'env'>,
  { paths, programs }: AskedFacts,
): Promise<Surrounding> {
  const root = place.roots.repository;
  const workdir = repository === undefined ? '' : workdirOf({ ...place, repository });
  const there = paths.filter((path) => existsSync(join(root, path)) || existsSync(join(root, workdir, path)));
  const missing = paths.filter((path) => !there.includes(path));
  const scripts = scriptsOf(join(root, workdir, MANIFEST));
  const search = {
    path: [env.PATH ?? '', join(root, workdir, 'node_modules/.bin'), join(root, 'node_modules/.bin')].join(':'),
    cwd: root,
  };
  return {
    existing: new Set([...there, ...(repository === undefined ? [] : await knownToGit(root, env, missing))]),
    ignored:
      repository === undefined ? new Set() : await ignoredPaths({ root, env: { ...env } }, paths).catch(noneKnown),
    programs: new Set(programs.filter((program) => findProgram(program, search) !== undefined)),
    ...(scripts === undefined ? {} : { scripts }),
  };
}

/** Of these paths, those that are the end of a committed path, or a folder in one: in a monorepo people name files from their package. */
async function knownToGit(root: string, env: Host['env'], paths: readonly string[]): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const committed = await gitListing({ root, env: { ...env } })
    .filesOf('HEAD')
    .then((files) => [...files.keys()])
    .catch(() => []);
  return paths.filter((path) => {
    const folder = `/${path.replace(/\/$/, '')}/`;
    return committed.some((file) => file.endsWith(`/${path}`) || `/${file}`.includes(folder));
  });
}

function noneKnown(error: unknown): ReadonlySet<string> {
  if (error instanceof GitFault) return new Set();
  throw error;
}

function scriptsOf(manifest: string): ReadonlySet<string> | undefined {
  try {
    const { scripts = {} } = JSON.parse(readText(manifest, MANIFEST_BYTES_MAX) ?? '') as { readonly scripts?: object };
    return new Set(Object.keys(scripts));
  } catch {
    return undefined; // Without a manifest that can be read, no script is known to be missing.
  }
}
