import type { IndexFlag, Picture, PicturedFile } from '../../../core/watch/picture.ts';
import type { Tree } from '../../../ports/git.ts';
import type { Pictures, Scene } from '../../../ports/pictures.ts';
import { DEFAULT_TIMEOUTS, type GitCalls, gitCalls } from '../calls.ts';
import { withFaults } from '../fault.ts';
import { commonFolderOf, gitFolderOf } from '../git-folder.ts';
import { pathOfBytes } from '../path-bytes.ts';
import { indexFlags } from './index-flags.ts';
import type { FilePart } from './part.ts';
import { idBytesOf, learnPlaces, type OwnFiles, placesOf, spotsIn, type WatchedPlaces } from './places.ts';
import { putBack } from './put-back.ts';
import { branchesElsewhere, readRefs, readStash } from './refs.ts';
import { seeFile } from './seen-file.ts';

export interface GitPicturesOptions {
  /** Absolute path of the user's working tree. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly own: OwnFiles;
  /** What is watched as well, and is no file of its own. */
  readonly parts: readonly FilePart[];
  /** Absolute path of a private folder for what is replaced. */
  readonly keepIn: string;
  /** Prefix for refs that keep what refs are moved away from, `refs/specloop/…/`. */
  readonly keepUnder: string;
}

/** The port over the files of a repository and, where these do not tell, the git program. */
export function gitPictures(options: GitPicturesOptions): Pictures {
  const calls = gitCalls(options.env, DEFAULT_TIMEOUTS);
  const main: Tree = { dir: options.root };
  let places: Promise<WatchedPlaces> | undefined;
  const commonDir = async () => commonFolderOf(await gitFolderOf(main));
  return withFaults({
    async take(scene) {
      const at = { main, commonDir: await commonDir(), env: options.env };
      places ??= learnPlaces(calls, at);
      return withParts(options.parts, await take(calls, { ...at, own: options.own, places: await places }, scene));
    },
    async takeAgain(before, scene) {
      const at = { main, commonDir: await commonDir(), env: options.env };
      const own = { settings: [], personal: [], programs: [] };
      return withParts(options.parts, await take(calls, { ...at, own, places: placesOf(before) }, scene));
    },
    putBack: async (before, undos) => {
      const { keepIn, keepUnder, parts } = options;
      return await putBack(calls, { main, keepIn, keepUnder, parts }, { before, undos });
    },
  });
}

function withParts(parts: readonly FilePart[], picture: Picture): Picture {
  const files: readonly (readonly [string, PicturedFile])[] = parts.map((part) => {
    const bytes = part.read();
    const { use, shown } = part;
    return [part.name, { use, shown, ...(bytes !== undefined && { seen: { bytes, mode: 0o600 } }) }];
  });
  return { ...picture, files: { ...picture.files, ...Object.fromEntries(files) } };
}

interface Subject {
  readonly main: Tree;
  readonly commonDir: string;
  readonly own: OwnFiles;
  readonly places: WatchedPlaces;
}

async function take(calls: GitCalls, subject: Subject, { trees, branch }: Scene): Promise<Picture> {
  const { main, commonDir, own, places } = subject;
  const spots = [...places.shared, ...(await spotsIn(subject, places, { trees, own }))];
  const files: Record<string, PicturedFile> = {};
  for (const { path, ...spot } of spots) {
    const seen = seeFile(path, spot.use === 'program' ? 'digest' : 'bytes');
    files[path] = seen === undefined ? spot : { ...spot, seen };
  }
  const folders = await Promise.all(trees.map((tree) => gitFolderOf(tree).catch(() => undefined)));
  const flags: Record<string, readonly IndexFlag[]> = {};
  for (const [at, tree] of trees.entries()) {
    const folder = folders[at];
    if (folder === undefined) continue;
    const found = indexFlags(folder, idBytesOf(commonDir)) ?? (await flagsByGit(calls, tree));
    // A member's tree whose index is damaged is lost, as one that is gone.
    if (found !== undefined) flags[tree.dir] = found;
  }
  return {
    files,
    refs: await readRefs(calls, main, { commonDir, branch }),
    elsewhere: await branchesElsewhere(
      commonDir,
      folders.flatMap((folder) => folder ?? []),
    ),
    stash: readStash(commonDir),
    flags,
    hooksFolder: places.hooksFolder,
  };
}

/** `undefined` for an index that git cannot read. `ls-files -v` marks what is assumed unchanged by a small letter, what is skipped by an S. */
async function flagsByGit(calls: GitCalls, tree: Tree): Promise<readonly IndexFlag[] | undefined> {
  const answer = await calls.run(tree, ['ls-files', '-v', '-z']);
  if (answer.code !== 0) return undefined;
  const entries = pathOfBytes(answer.stdout).split('\0').slice(0, -1);
  return entries.flatMap((entry): readonly IndexFlag[] => {
    const [mark = '', path] = [entry[0], entry.slice(2)];
    return [
      ...(/[a-z]/.test(mark) ? [{ path, flag: 'assume-unchanged' } as const] : []),
      ...(/s/i.test(mark) ? [{ path, flag: 'skip-worktree' } as const] : []),
    ];
  });
}
