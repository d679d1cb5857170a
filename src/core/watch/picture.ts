/**
 * What judges the work or belongs to the user in the shared part of a repository, at one moment (R-VER-14). Plain data: it
 * is written down while an agent works, so that a killed run can be put right.
 */
export interface Picture {
  /** By absolute path; a file that is looked for and not there has no `seen`. */
  readonly files: Readonly<Record<string, PicturedFile>>;
  /** Branches, tags, replacements and the like by full name, each with what it points at. */
  readonly refs: Readonly<Record<string, string>>;
  /** Branches that another working tree is on: a person works there. */
  readonly elsewhere: readonly string[];
  /** Newest first. */
  readonly stash: readonly StashEntry[];
  /** By the folder of a working tree, which paths git was told not to look at, and how. */
  readonly flags: Readonly<Record<string, readonly IndexFlag[]>>;
  /** The folder that git takes hooks from, as the run found it. */
  readonly hooksFolder: string;
}

/**
 * What a file is for. `program` is one that a Verify command reaches by the name of a known runner, `trust` what a person
 * lets run in the workspace, which is a part of a file.
 */
export type FileUse = 'config' | 'rules' | 'hook' | 'settings' | 'program' | 'trust';

export interface PicturedFile {
  readonly use: FileUse;
  /** As people know it, as `.git/config`. */
  readonly shown: string;
  /** The folder of the working tree that it belongs to; absent for what all trees share. */
  readonly tree?: string;
  readonly seen?: SeenFile;
}

export interface SeenFile {
  /** One character a byte, or a digest where the bytes need not be put back. */
  readonly bytes: string;
  /** Permission bits; only the executable ones are compared, and only where they decide something. */
  readonly mode: number;
  /** Where a symbolic link leads; `bytes` is then what is found there. */
  readonly link?: string;
}

export interface StashEntry {
  readonly commit: string;
  readonly message: string;
}

export interface IndexFlag {
  readonly path: string;
  readonly flag: 'skip-worktree' | 'assume-unchanged';
}

/** The part of an earlier picture that a later one shows as well: a member's tree may have gone, with all that was in it. */
export function partOf(before: Picture, now: Picture): Picture {
  const isGone = (tree: string | undefined) => tree !== undefined && now.flags[tree] === undefined;
  const files = Object.entries(before.files).filter(([, { tree }]) => !isGone(tree));
  return { ...before, files: Object.fromEntries(files) };
}

/** The part of a picture that shows these working trees, and what all trees share. */
export function ofTrees(picture: Picture, trees: readonly { readonly dir: string }[]): Picture {
  const isShown = (tree: string | undefined) => tree === undefined || trees.some(({ dir }) => dir === tree);
  const files = Object.entries(picture.files).filter(([, { tree }]) => isShown(tree));
  const flags = Object.entries(picture.flags).filter(([tree]) => isShown(tree));
  return { ...picture, files: Object.fromEntries(files), flags: Object.fromEntries(flags) };
}

/**
 * An earlier picture, with what only a later one shows, as the tree of a member that joins. What both show is as it was
 * earlier: it may have been changed between the two.
 */
export function withMore(before: Picture, now: Picture): Picture {
  return {
    ...before,
    files: { ...now.files, ...before.files },
    flags: { ...now.flags, ...before.flags },
    elsewhere: now.elsewhere,
  };
}
