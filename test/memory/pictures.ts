import type { IndexFlag, Picture, PicturedFile } from '../../src/core/watch/picture.ts';
import type { Pictures, PutBack, Scene } from '../../src/ports/pictures.ts';
import type { MemoryRepository } from './repository.ts';

const HOOKS = '.git/hooks';
const PASSING = /^refs\/(remotes|specloop|heads\/specloop-batch)\//;

/** Pictures of a repository in memory: of its refs, its stash, its flags and the files of its `.git` that a test put there. */
export function memoryPictures(repository: MemoryRepository): Pictures {
  const take = async ({ trees, branch }: Scene): Promise<Picture> => ({
    files: Object.fromEntries([...repository.gitFiles].map(([path, text]) => [path, fileOf(path, text)])),
    refs: Object.fromEntries(
      [...repository.refs].filter(([name]) => !PASSING.test(name) && name !== `refs/heads/${branch}`).sort(),
    ),
    elsewhere: [],
    stash: repository.stash,
    flags: Object.fromEntries(trees.map(({ dir }) => [dir, repository.flags.get(dir) ?? []])),
    hooksFolder: HOOKS,
  });
  return {
    take,
    takeAgain: (_before, scene) => take(scene),
    async putBack(before, undos): Promise<PutBack> {
      for (const undo of undos) {
        if (undo.what === 'flags') {
          const cleared = new Set(undo.clear.map(keyOf));
          const left = (repository.flags.get(undo.tree) ?? []).filter((flag) => !cleared.has(keyOf(flag)));
          repository.flags.set(undo.tree, [...left, ...undo.set]);
        }
        if (undo.what === 'stash') repository.stash = undo.entries;
        if (undo.what === 'ref' && undo.to !== undefined) repository.refs.set(undo.name, undo.to);
        if (undo.what === 'ref' && undo.to === undefined) repository.refs.delete(undo.name);
        const seen = undo.what === 'file' ? before.files[undo.path]?.seen : undefined;
        if (undo.what === 'file' && seen !== undefined) repository.gitFiles.set(undo.path, seen.bytes);
        if (undo.what === 'file' && seen === undefined) repository.gitFiles.delete(undo.path);
      }
      return { keptIn: [], failed: [] };
    },
  };
}

function keyOf({ path, flag }: IndexFlag): string {
  return `${flag} ${path}`;
}

function fileOf(path: string, bytes: string): PicturedFile {
  const isHook = path.startsWith(`${HOOKS}/`);
  const use = isHook ? 'hook' : path.startsWith('.git/info/') ? 'rules' : 'config';
  return { use, shown: path, seen: { bytes, mode: isHook ? 0o755 : 0o644 } };
}
