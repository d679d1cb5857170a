/** What a path of a working tree holds at one moment. */
export interface FileMark {
  /**
   * `outward-link`: a link that leads out of the tree. `repository`: a folder with a `.git` of its own. `absent` also where
   * a link or a file is in place of a folder above. `other`: what git cannot hold, such as a folder or a socket.
   */
  readonly is: 'file' | 'link' | 'outward-link' | 'repository' | 'absent' | 'other';
  /** Equal contents mean equal files for git: their bytes, and whether they can be run; where a link leads; the commit of a repository. */
  readonly content: string;
  /** Size, times and number of a file, which tell that it was not written since; empty where they cannot. */
  readonly stamp: string;
  /** When it was changed last, in milliseconds since 1970, as the file system says; 0 where that is not known. */
  readonly changedMs: number;
}

/** What some paths of a working tree hold (R-VER-13). By path, as `Change.path` names it. */
export type Fingerprint = ReadonlyMap<string, FileMark>;

/** How some paths differ from what they held before. */
export interface Differences {
  /** Paths that are no longer there. */
  readonly gone: readonly string[];
  /** Paths that are there and hold something else, or were not there before. */
  readonly rewritten: readonly string[];
}

/** How the paths of `before` differ in `after`; a path that `after` does not know counts as gone. */
export function differences(before: Fingerprint, after: Fingerprint): Differences {
  const gone: string[] = [];
  const rewritten: string[] = [];
  for (const [path, mark] of before) {
    const now = after.get(path);
    if (now === undefined || now.is === 'absent') {
      if (mark.is !== 'absent') gone.push(path);
    } else if (now.is !== mark.is || now.content !== mark.content) rewritten.push(path);
  }
  return { gone, rewritten };
}

/** All paths that differ, gone or rewritten. */
export function differing(before: Fingerprint, after: Fingerprint): readonly string[] {
  const { gone, rewritten } = differences(before, after);
  return [...gone, ...rewritten];
}
