import type { Undo } from '../core/watch/compare.ts';
import type { Picture } from '../core/watch/picture.ts';
import type { Tree } from './git.ts';

/** What a picture is taken of. */
export interface Scene {
  /** The working trees in which someone works, the user's among them. */
  readonly trees: readonly Tree[];
  /** The branch of the run, which moves by our doing. */
  readonly branch: string;
}

/**
 * Takes pictures of what judges the work or belongs to the user in the shared part of a repository, and puts back what
 * differs (R-VER-14). Reads files; a program is started only where files do not tell. Throws `GitFault`.
 */
export interface Pictures {
  take(scene: Scene): Promise<Picture>;
  /** The same of exactly what an earlier picture shows, also where the settings have become unreadable since. */
  takeAgain(before: Picture, scene: Scene): Promise<Picture>;
  /**
   * Puts these differences back to how the picture shows them. What is replaced is kept; says where, if anything was, and
   * which could not be put back, one sentence each.
   */
  putBack(before: Picture, undos: readonly Undo[]): Promise<PutBack>;
}

export interface PutBack {
  /** A folder or a ref. */
  readonly keptIn: readonly string[];
  readonly failed: readonly string[];
}
