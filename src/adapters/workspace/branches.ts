import { basename } from 'node:path';
import { segmentOf, type WorktreeFolder } from './location.ts';

/** Below it are the branches of the worktrees of one spec. Its path is one segment: no spec's folder is in that of another. */
export function branchFolder(specPath: string): string {
  return `specloop-batch/${segmentOf(specPath)}`;
}

/** Short name of a worktree's branch, `specloop-batch/<path of the spec>/<run>/<name>.<random>`: no two worktrees share one (R-PAR-3). */
export function branchOf(folder: string, { run, dir }: Pick<WorktreeFolder, 'run' | 'dir'>): string {
  return `${folder}/${run}/${basename(dir)}`;
}

/** Whose branch a ref below the folder is, from its whole name; `undefined` for one that a person made there. */
export function ownerOf(folder: string, ref: string): Pick<WorktreeFolder, 'run' | 'segment'> | undefined {
  const rest = ref.slice(`refs/heads/${folder}/`.length);
  const [, run, segment] = /^(\d{8}T\d{6}Z-[0-9a-f]+)\/([^/]+)\.[^./]{6}$/.exec(rest) ?? [];
  return run === undefined || segment === undefined ? undefined : { run, segment };
}
