import type { MemoryRepository } from './repository.ts';

/** Files of two commits in one, and the paths at which they disagree. */
export interface MergedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly conflicts: readonly string[];
}

/** Merges two commits, whole file by whole file: two changes of one file are a conflict, wherever they are in it. */
export function mergeFiles(repository: MemoryRepository, ours: string, theirs: string): MergedFiles {
  const known = new Set([...repository.history(ours)].map(({ id }) => id));
  const base = [...repository.history(theirs)].find(({ id }) => known.has(id))?.files ?? new Map<string, string>();
  const [left, right] = [repository.commit(ours).files, repository.commit(theirs).files];
  const files = new Map<string, string>();
  const conflicts: string[] = [];
  for (const path of [...new Set([...left.keys(), ...right.keys()])].sort()) {
    const [ourText, theirText, baseText] = [left.get(path), right.get(path), base.get(path)];
    const isConflict = ourText !== theirText && ourText !== baseText && theirText !== baseText;
    if (isConflict) conflicts.push(path);
    const text = isConflict ? withMarkers(ourText, theirText) : ourText === baseText ? theirText : ourText;
    if (text !== undefined) files.set(path, text);
  }
  return { files, conflicts };
}

function withMarkers(ours: string | undefined, theirs: string | undefined): string | undefined {
  if (ours === undefined || theirs === undefined) return ours ?? theirs;
  return `<<<<<<< ours\n${ours}=======\n${theirs}>>>>>>> theirs\n`;
}
