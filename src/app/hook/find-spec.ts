import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { readText } from '../../adapters/store/read-text.ts';
import { repositoryAbove } from '../../adapters/store/repository-above.ts';
import { resolveSpec } from '../../adapters/store/spec-folder.ts';
import type { SpecFolder } from '../../adapters/store/spec-place.ts';
import { currentSpecFile, type SpecRoots } from '../../adapters/store/spec-roots.ts';
import { loadSettings } from '../../config/load.ts';
import { homeFolder } from '../home-folder.ts';
import type { Environment } from '../host.ts';

/** The active spec of a folder, and where it was found. */
export interface ActiveSpec {
  /** Absolute root of the repository; the folder that was asked about, where there is none. */
  readonly root: string;
  /** The folder that all worktrees of the repository share; absent where there is none. */
  readonly commonDir?: string;
  readonly spec: SpecFolder;
  /** The folder whose specs it is among: from there its name is known. */
  readonly dir: string;
}

const CURRENT_BYTES_MAX = 10_000;
const DEFAULT_DIRS = ['specs'];

/**
 * The active spec of the nearest folder upward that has one, up to the repository's root; where there is no repository, that
 * of the folder itself (R-SES-5). Starts no program. Throws what reading throws.
 */
export async function findActiveSpec(cwd: string, env: Environment): Promise<ActiveSpec | undefined> {
  if (!isAbsolute(cwd) || !existsSync(cwd)) return undefined;
  const start = realpathSync.native(cwd);
  const repository = repositoryAbove(start);
  const root = repository?.root ?? start;
  const settings = await settingsOf(root, env);
  for (let dir = start; ; dir = dirname(dir)) {
    const spec = await activeIn({ cwd: dir, repository: root, ...settings });
    if (spec !== undefined) return { root, ...(repository && { commonDir: repository.commonDir }), spec, dir };
    if (dir === root) return undefined;
  }
}

/** Settings that make no sense are told by every other command. */
async function settingsOf(root: string, env: Environment): Promise<Pick<SpecRoots, 'specsDirs' | 'dialect'>> {
  try {
    const { specsDirs, dialect } = (await loadSettings({ root, env: { ...env, HOME: homeFolder(env) } })).settings;
    return { specsDirs, dialect };
  } catch {
    return { specsDirs: DEFAULT_DIRS };
  }
}

/** Without `.current-spec` none is active, also where there is only one. */
async function activeIn(roots: SpecRoots): Promise<SpecFolder | undefined> {
  const written = readText(currentSpecFile(roots), CURRENT_BYTES_MAX)?.replace(/^\uFEFF/, '') ?? '';
  if (written.trim() === '') return undefined;
  const resolved = await resolveSpec(roots);
  return resolved.ok ? resolved.spec : undefined;
}
