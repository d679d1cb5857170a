import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitRemote } from '../../src/adapters/git/remote/git-remote.ts';
import { type Repository, repository, rigOf } from '../../src/adapters/git/test-rig.ts';
import { programWorldOf } from './git-program-world.ts';
import type { OtherSide, RemoteWorld } from './remote.ts';

/** A repository on the disk with a bare one as its `origin`, and the git program. */
export async function gitRemoteWorld(): Promise<RemoteWorld> {
  const repo = await repository();
  const bare = join(repo.beside, 'origin.git');
  await repo.sh('init', '--quiet', '--bare', bare);
  await repo.sh('remote', 'add', 'origin', bare);
  return {
    ...programWorldOf(repo),
    remote: gitRemote({ root: repo.tree.dir, env: repo.env, name: 'origin' }),
    there: otherSide(repo, bare),
  };
}

const SAYS = {
  hook: 'the check failed',
  protected: 'error: GH006: Protected branch update failed for refs/heads/feat/demo.',
} as const;

function otherSide(repo: Repository, bare: string): OtherSide {
  const { env } = repo;
  const change =
    (...flags: readonly string[]) =>
    async (branch: string, files: Readonly<Record<string, string>>): Promise<string> => {
      const dir = join(repo.beside, 'person');
      const person = rigOf({ dir, env });
      await repo.sh('clone', '--quiet', '--branch', branch, bare, dir);
      for (const [path, text] of Object.entries(files)) await person.write(path, text);
      await person.sh('add', '--all', '--force');
      await person.sh('commit', '--quiet', '--message', 'by somebody else', ...flags);
      await person.sh('push', '--quiet', '--force', 'origin', branch);
      const made = await person.sh('rev-parse', 'HEAD');
      await rm(dir, { recursive: true });
      return made;
    };
  return {
    head: (branch) => repo.sh('-C', bare, 'rev-parse', '--verify', `refs/heads/${branch}`),
    commit: change(),
    amend: change('--amend'),
    refuse: async (cause) => {
      if (cause === 'unreachable') return void (await repo.sh('remote', 'set-url', 'origin', `${bare}.gone`));
      if (cause === 'denied') return signOut(repo);
      await executable(join(bare, 'hooks/pre-receive'), `echo '${SAYS[cause]}' >&2; exit 1`);
    },
  };
}

/** Any ssh of git's ends as it does for someone without a key. */
async function signOut(repo: Repository): Promise<void> {
  const ssh = join(repo.beside, 'ssh');
  await executable(ssh, 'echo "git@forge.invalid: Permission denied (publickey)." >&2; exit 255');
  await repo.sh('config', 'core.sshCommand', ssh);
  await repo.sh('remote', 'set-url', 'origin', 'git@forge.invalid:owner/name.git');
}

async function executable(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}
