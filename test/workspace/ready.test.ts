import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Git } from '../../src/ports/git.ts';
import { type WorkspaceRig, workspaceRig } from './rig.ts';

let rig: WorkspaceRig;
beforeEach(async () => {
  rig = await workspaceRig();
});
afterEach(() => rig.cleanup());

const order = (name: string) => ({ name, base: rig.base, signal: new AbortController().signal });

/** Git whose worktrees are made when the test says so. */
function gatedGit(): { readonly git: Git; readonly begun: string[]; readonly letGo: () => void } {
  const begun: string[] = [];
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const git: Git = {
    ...rig.repo.git,
    addWorktree: async (dir, order) => {
      begun.push(/\/(1\.\d)\./.exec(dir)?.[1] ?? dir);
      await gate;
      return rig.repo.git.addWorktree(dir, order);
    },
  };
  return { git, begun, letGo: () => letGo() };
}

test('a run that is stopped begins no checkout that waits for its turn (R-UX-3)', async () => {
  const { git, begun, letGo } = gatedGit();
  const workspaces = rig.workspaces({ git });
  const stop = new AbortController();
  const names = Array.from({ length: 2 * Math.max(2, availableParallelism()) }, (_, n) => `1.${n}`);
  const opened = names.map((name) => workspaces.open({ ...order(name), signal: stop.signal }));
  await expect.poll(() => begun).toHaveLength(names.length / 2);
  stop.abort();
  letGo();
  expect((await Promise.all(opened)).every((answer) => 'problem' in answer)).toBe(true);
  expect(begun).toHaveLength(names.length / 2);
  await workspaces.prune();
  expect(await rig.listed()).toEqual([]);
});

test('a worktree whose .git was made to name another is not taken for that one (R-SEC-1)', async () => {
  const workspaces = rig.workspaces();
  const [mine, other] = [await rig.open(workspaces, '1.1'), await rig.open(workspaces, '1.2')];
  await writeFile(join(mine.tree.dir, '.git'), await readFile(join(other.tree.dir, '.git')));
  expect(await workspaces.find('1.1')).toBeUndefined();
  await workspaces.close('1.1');
  expect(await rig.listed()).toEqual([other.tree.dir]);
});
