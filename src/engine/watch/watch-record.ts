import type { Noticed } from '../../core/verify/noticed.ts';
import type { Picture } from '../../core/watch/picture.ts';
import type { Tree } from '../../ports/git.ts';
import type { Scene } from '../../ports/pictures.ts';

/** Name of the record in the folder of a run. It is not there while no one is at work, so also after a run that ended by itself. */
export const WATCH_RECORD = 'watch.json';

/** What is kept of a picture while someone works, for when the coordinator is killed (R-VER-14). */
export interface WatchRecord {
  /** Name of the spec. */
  readonly spec: string;
  readonly before: Picture;
  readonly scene: Scene;
  /** *Files* of the tasks at work. */
  readonly files: readonly string[];
  /** Where our commits had to take hooks from, after hooks had been set up in the run. */
  readonly hooksPath?: string;
  /** Work that was handed over, and what was noticed around it so far. The record stays until it is reported. */
  readonly handedOver?: readonly WatchedElsewhere[];
}

/** Work that someone else does, in its own time, and what was noticed around it. */
export interface WatchedElsewhere extends Noticed {
  readonly tree: Tree;
  readonly files: readonly string[];
  readonly keepUnder: string;
}

/** The record in a text; `undefined` for one that is damaged. */
export function readWatchRecord(text: string): WatchRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type Maybe<T> = { readonly [key in keyof T]?: unknown } | null;

function isRecord(value: unknown): value is WatchRecord {
  const { spec, before, scene, files, hooksPath, handedOver = [] } = (value ?? {}) as NonNullable<Maybe<WatchRecord>>;
  const { trees, branch } = (scene ?? {}) as NonNullable<Maybe<Scene>>;
  const isText = (text: unknown) => typeof text === 'string';
  return (
    [spec, branch, hooksPath ?? ''].every(isText) &&
    Array.isArray(files) &&
    files.every(isText) &&
    Array.isArray(trees) &&
    trees.length > 0 &&
    trees.every((tree: Maybe<Scene['trees'][number]>) => isText(tree?.dir)) &&
    isPicture(before) &&
    Array.isArray(handedOver) &&
    handedOver.every(isHandedOver)
  );
}

function isHandedOver(value: unknown): boolean {
  const { tree, keepUnder, ...lists } = (value ?? {}) as NonNullable<Maybe<WatchedElsewhere>>;
  return (
    typeof keepUnder === 'string' &&
    typeof (tree as Maybe<Tree> | undefined)?.dir === 'string' &&
    [lists.files, lists.violations, lists.concerns].every(Array.isArray)
  );
}

function isPicture(value: unknown): value is Picture {
  const { files, refs, elsewhere, stash, flags, hooksFolder } = (value ?? {}) as NonNullable<Maybe<Picture>>;
  return (
    typeof hooksFolder === 'string' &&
    [files, refs, flags].every((map) => typeof map === 'object' && map !== null) &&
    [elsewhere, stash].every(Array.isArray)
  );
}
