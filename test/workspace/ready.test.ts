import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Git, GitFault } from '../../src/ports/git.ts';
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

test('worktrees are made ahead one after the other, and are there when they are asked for (R-PAR-3)', async () => {
  const { git, begun, letGo } = gatedGit();
  const workspaces = rig.workspaces({ git });
  for (const name of ['1.1', '1.2', '1.3']) workspaces.ready(order(name));
  await expect.poll(() => begun).toEqual(['1.1']);
  letGo();
  await expect.poll(() => begun).toEqual(['1.1', '1.2', '1.3']);
  const opened = await Promise.all(['1.1', '1.2', '1.3'].map((name) => rig.open(workspaces, name)));
  expect(begun).toHaveLength(3);
  expect(opened.map(({ tree }) => tree.dir).sort()).toEqual([...(await rig.listed())].sort());
});

test('what is asked for does not wait for what is made ahead (R-PAR-1)', async () => {
  const { git, begun, letGo } = gatedGit();
  const workspaces = rig.workspaces({ git });
  workspaces.ready(order('1.1'));
  workspaces.ready(order('1.2'));
  const opened = rig.open(workspaces, '1.2');
  await expect.poll(() => begun.toSorted()).toEqual(['1.1', '1.2']);
  letGo();
  expect(await rig.repo.git.inspect((await opened).tree)).toMatchObject({ head: rig.base });
  expect(begun).toHaveLength(2);
  await workspaces.settle();
});

test.each(['prune', 'settle'] as const)('%s waits for what is being made and forgets the rest', async (end) => {
  const { git, begun, letGo } = gatedGit();
  const workspaces = rig.workspaces({ git });
  for (const name of ['1.1', '1.2']) workspaces.ready(order(name));
  await expect.poll(() => begun).toEqual(['1.1']);
  const ended = workspaces[end]();
  letGo();
  await ended;
  expect(begun).toEqual(['1.1']);
  expect(await rig.listed()).toHaveLength(end === 'prune' ? 0 : 1);
});

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

test('who is retired goes by itself; prune and settle wait for that, and one of the same name is made after it (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  const [first] = await Promise.all(['1.1', '1.2'].map((name) => rig.open(workspaces, name)));
  workspaces.retire('1.1');
  const again = await rig.open(workspaces, '1.1');
  expect(again.tree.dir).not.toBe(first?.tree.dir);
  for (const name of ['1.1', '1.2', '1.3']) workspaces.retire(name);
  await workspaces.settle();
  expect(await rig.listed()).toEqual([]);
});

test('a worktree can be made while the last of the others goes (R-PAR-3)', async () => {
  const workspaces = rig.workspaces();
  for (let round = 0; round < 20; round++) {
    await rig.open(workspaces, `1.${round}`);
    workspaces.retire(`1.${round}`);
    await new Promise((resolve) => setTimeout(resolve, round));
    await rig.open(workspaces, 'probe');
    await workspaces.close('probe');
  }
});

test('who could not be retired is left to prune', async () => {
  const isStuck = { now: true };
  let tries = 0;
  const git: Git = {
    ...rig.repo.git,
    removeWorktree: async (dir) => {
      tries++;
      if (isStuck.now) throw new GitFault('other', 'stuck');
      await rig.repo.git.removeWorktree(dir);
    },
  };
  const workspaces = rig.workspaces({ git });
  await rig.open(workspaces, '1.1');
  workspaces.retire('1.1');
  await workspaces.settle();
  expect(tries).toBe(1);
  await expect(workspaces.prune()).rejects.toThrow('stuck');
  isStuck.now = false;
  await workspaces.prune();
  expect(await rig.listed()).toEqual([]);
});

test('what goes wrong ahead of time is told when the worktree is asked for', async () => {
  const setup = rig.setup('echo try >> "$COUNTER"; echo "no network" >&2; exit 7');
  const workspaces = rig.workspaces({ setup });
  const tries = () => readFile(join(rig.repo.beside, 'counter'), 'utf8').catch(() => '');
  workspaces.ready(order('1.1'));
  await expect.poll(tries).toBe('try\n');
  expect(await workspaces.open(order('1.1'))).toMatchObject({ problem: expect.stringContaining('no network') });
  expect(await tries()).toBe('try\ntry\n');
});

test('a worktree whose .git was made to name another is not taken for that one (R-SEC-1)', async () => {
  const workspaces = rig.workspaces();
  const [mine, other] = [await rig.open(workspaces, '1.1'), await rig.open(workspaces, '1.2')];
  await writeFile(join(mine.tree.dir, '.git'), await readFile(join(other.tree.dir, '.git')));
  expect(await workspaces.find('1.1')).toBeUndefined();
  await workspaces.close('1.1');
  expect(await rig.listed()).toEqual([other.tree.dir]);
});
