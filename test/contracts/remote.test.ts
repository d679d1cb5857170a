import { MemoryOrigin } from '../memory/origin.ts';
import { MemoryRemote } from '../memory/remote.ts';
import { gitRemoteWorld } from './git-remote-world.ts';
import { contractRepository, memoryWorldOf } from './memory-git-world.ts';
import { type RemoteWorld, remoteContract } from './remote.ts';

remoteContract('a remote of the git program', gitRemoteWorld);
remoteContract('a remote in memory', memoryRemoteWorld);

async function memoryRemoteWorld(): Promise<RemoteWorld> {
  const repository = contractRepository();
  const origin = new MemoryOrigin();
  const world = memoryWorldOf(repository);
  return {
    ...world,
    remote: new MemoryRemote({ repository, dir: world.tree.dir, origin }),
    there: {
      head: async (branch) => origin.branches.get(branch),
      commit: async (branch, files) => origin.commit(branch, files),
      amend: async (branch, files) => origin.amend(branch, files),
      refuse: async (cause) => {
        origin.refusal = { cause, output: `refused: ${cause}` };
      },
    },
  };
}
