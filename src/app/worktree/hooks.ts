import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { hooksPath } from '../../adapters/git/hooks-path.ts';
import { ignoredPaths } from '../../adapters/git/repository.ts';
import { UserError } from '../../core/user-error.ts';
import type { Host } from '../host.ts';
import type { SpecPlace } from '../place.ts';

/**
 * Has the hooks of the main tree in a worktree, too, where `core.hooksPath` is relative and git ignores the folder it leads
 * to, as husky leaves it (R-ADV-5): without it git would commit past them, without a word. Throws `UserError` where the
 * folder is missing in the worktree for another reason.
 */
export async function bringHooks(
  { root, commonDir }: SpecPlace['repository'],
  { env, notify }: Pick<Host, 'env' | 'notify'>,
): Promise<void> {
  const main = dirname(commonDir);
  if (basename(commonDir) !== '.git' || main === root) return;
  const setting = await hooksPath({ dir: root }, env);
  if (setting === undefined || isAbsolute(setting)) return;
  const path = normalize(setting).replace(/\/$/, '');
  if (existsSync(join(root, path)) || !existsSync(join(main, path))) return;
  const isInside = !path.startsWith('..');
  if (!isInside || (await ignoredPaths({ root: main }, env, [`${path}/pre-commit`])).length === 0)
    throw new UserError(
      `core.hooksPath is ${setting}, which exists in ${main} but not in the worktree ${root}: no hook would run there.`,
      'Commit that folder, let "worktree.setup" install the hooks, or make core.hooksPath absolute; then run again.',
    );
  await cp(join(main, path), join(root, path), { recursive: true });
  notify(`Copied the hooks in ${setting} (core.hooksPath) to the worktree, because git ignores them.`);
}
