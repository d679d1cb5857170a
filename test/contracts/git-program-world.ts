import { join } from 'node:path';
import { type Repository, repository, rigOf } from '../../src/adapters/git/test-rig.ts';
import type { GitWorld, Hands } from './git.ts';

/** A repository on the disk, with the git program. */
export async function gitProgramWorld(): Promise<GitWorld> {
  return programWorldOf(await repository());
}

/** The same, where the repository is made already. */
export function programWorldOf(repo: Repository): GitWorld {
  const at = (tree = repo.tree) => rigOf({ dir: tree.dir, env: repo.env });
  return {
    git: repo.git,
    tree: repo.tree,
    hands: handsOf(repo),
    worktreeDir: join(repo.beside, 'worktree'),
    write: (path, text, tree) => at(tree).write(path, text),
    read: (path, tree) => at(tree).read(path),
    remove: (path, tree) => at(tree).remove(path),
    cleanup: repo.cleanup,
  };
}

const HOOK_OF = { work: 'pre-commit', message: 'commit-msg', reference: 'reference-transaction', signing: 'no-key' };

/** Installs the hook, or the signing program, that says no. */
async function refuse(repo: Repository, how: Parameters<Hands['refuse']>[0]): Promise<void> {
  for (const name of Object.values(HOOK_OF)) await repo.remove(`.git/hooks/${name}`);
  await repo.sh('config', 'commit.gpgSign', String(how?.by === 'signing'));
  if (how === undefined) return;
  const { by = 'work', output, repairs = {} } = how;
  const isMeant = by === 'reference' ? '{ test "$1" = prepared && grep -q refs/heads/feat/demo; } || exit 0' : ':';
  const writes = Object.entries(repairs).map(([path, text]) => `printf '%s' '${text}' > '${path}'`);
  await repo.hook(HOOK_OF[by], [isMeant, ...writes, `echo '${output}' >&2`, 'exit 1'].join('\n'));
  await repo.sh('config', 'gpg.program', join(repo.tree.dir, '.git/hooks/no-key'));
}

function handsOf(repo: Repository): Hands {
  const { sh } = repo;
  const committed = async (...flags: readonly string[]): Promise<string> => {
    await sh('add', '--all');
    // What is staged may be no change any more once the files are staged as well.
    await sh('commit', '--quiet', '--allow-empty', ...flags);
    return sh('rev-parse', 'HEAD');
  };
  return {
    stage: async (paths) => void (await sh('add', '--all', '--', ...paths)),
    commitAll: (message) => committed('--message', message),
    amend: (message) => committed('--amend', '--message', message),
    branchOff: async (branch) => void (await sh('switch', '--quiet', '--create', branch)),
    detach: async () => void (await sh('switch', '--quiet', '--detach')),
    dropBranch: async (branch) => void (await sh('branch', '--quiet', '-D', branch)),
    refuse: (how) => refuse(repo, how),
  };
}
