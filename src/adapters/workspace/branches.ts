import { basename } from 'node:path';
import { type Home, segmentOf } from './location.ts';

/** Below it are the branches of the worktrees of one spec: no other spec shares it, whatever it is called. */
export function branchFolder(specPath: string): string {
  return ['specloop', ...specPath.split('/').map(segmentOf)].join('/');
}

/** Short name of a worktree's branch, `specloop/<path of the spec>/<run>/<name>.<random>`: no two worktrees share one (R-PAR-3). */
export function branchOf(folder: string, { run, dir }: Pick<Home, 'run' | 'dir'>): string {
  return `${folder}/${run}/${basename(dir)}`;
}

/** Whose branch a ref is, from its whole name. */
export function ownerOf(ref: string): Pick<Home, 'run' | 'segment'> {
  const [run = '', name = ''] = ref.split('/').slice(-2);
  return { run, segment: name.replace(/\.[^.]+$/, '') };
}
