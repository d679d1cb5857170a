import { expect, test } from 'vitest';
import { Chance } from '../simulation/chance.ts';
import type { GitWorld } from './git.ts';
import { gitProgramWorld } from './git-program-world.ts';
import { memoryGitWorld } from './memory-git-world.ts';

const SEQUENCES = Number(process.env.SEQUENCES ?? 16);
const STEPS = 12;
const TIMEOUT_MS = 600_000;
const PATHS = ['README.md', 'src/a.ts', 'src/b.ts', 'new.txt', 'deep/er/new.txt', 'noise.log'] as const;

/** One deed, done to a world; the same draws for each. Resolves with what can be compared. */
type Deed = (world: GitWorld, chance: Chance, marks: Marks) => Promise<unknown>;

/** Commits by when they were made: ids differ from world to world. */
type Marks = string[];

const some = (chance: Chance) => PATHS.filter(() => chance.happens(0.4));
const mark = (chance: Chance, marks: Marks) => marks[chance.below(marks.length)] ?? '';
const head = async ({ git, tree }: GitWorld) => (await git.inspect(tree)).head ?? '';

async function commitByHand({ git, tree, hands }: GitWorld, marks: Marks): Promise<void> {
  const { changes } = await git.inspect(tree);
  if (changes.length > 0) marks.push(await hands.commitAll(`by hand ${marks.length}`));
}

const DEEDS: Readonly<Record<string, Deed>> = {
  write: ({ write }, chance) => write(chance.pick(PATHS), `${chance.below(3)}\n`),
  remove: ({ remove }, chance) => remove(chance.pick(PATHS)),
  stage: ({ hands }, chance) => hands.stage(chance.happens(0.5) ? ['README.md'] : ['src']).catch(() => undefined),
  'commit by hand': (world, _chance, marks) => commitByHand(world, marks),
  commit: async ({ git, tree }, chance, marks) => {
    const paths = chance.happens(0.4) ? ('everything' as const) : some(chance);
    const order = {
      message: `feat: ${marks.length}`,
      trailers: { Task: `${chance.below(3)}` },
      paths,
      keepsStaged: chance.happens(0.5),
      ...(chance.happens(0.5) && { staged: (await git.inspect(tree)).staged }),
    };
    const done = await git.commit(tree, order);
    if (done.how === 'committed') marks.push(done.commit);
    return done.how;
  },
  unwind: ({ git, tree }, chance, marks) => git.unwind(tree, mark(chance, marks)),
  restore: ({ git, tree }, chance, marks) =>
    git.restore(tree, {
      branch: 'feat/demo',
      commit: mark(chance, marks),
      exclude: chance.happens(0.5) ? some(chance) : [],
    }),
  snapshot: async ({ git, tree }, chance, marks) => {
    const order = {
      ref: `refs/kept/${marks.length}`,
      base: mark(chance, marks),
      message: `kept ${marks.length}`,
      exclude: some(chance),
    };
    const kept = await git.snapshot(tree, order);
    if (kept) marks.push(kept.commit);
    return kept !== undefined;
  },
  bring: async (world, chance, marks) => {
    const { git, tree, worktreeDir } = world;
    const base = chance.happens(0.7) ? await head(world) : mark(chance, marks);
    const other = await git.addWorktree(worktreeDir, { branch: 'own/1', commit: base });
    for (const path of some(chance)) {
      if (chance.happens(0.7)) await world.write(path, `${chance.below(3)}\n`, other);
      else await world.remove(path, other);
    }
    const work = await git.workSince(other, { base, exclude: some(chance) });
    const done = work && (await git.apply(tree, work.commit, work.paths));
    await git.removeWorktree(worktreeDir);
    await git.removeRefs(['refs/heads/own/1']);
    if (done?.how === 'applied') await commitByHand(world, marks);
    return { paths: work && [...work.paths].sort(), how: done?.how };
  },
  apply: ({ git, tree }, chance, marks) => git.apply(tree, mark(chance, marks.slice(1))).catch(() => 'a fault'),
  compare: async ({ git, tree }, chance, marks) => [...(await git.changedSince(tree, mark(chance, marks)))].sort(),
  find: async ({ git, tree }, chance, marks) => {
    const query = { since: marks[0] ?? '', trailers: { Task: `${chance.below(3)}` } };
    return marks.indexOf((await git.findRecord(tree, query)) ?? '');
  },
};

/** Everything of a world that does not depend on the ids of its commits. */
async function look(world: GitWorld, marks: Marks): Promise<unknown> {
  const { head: at, changes, ...rest } = await world.git.inspect(world.tree);
  const texts = await Promise.all(PATHS.map(async (path) => [path, await world.read(path)]));
  return {
    ...rest,
    head: marks.indexOf(at ?? ''),
    changes: [...changes].sort((a, b) => (a.path < b.path ? -1 : 1)),
    texts,
  };
}

async function live(world: GitWorld, seed: number): Promise<readonly unknown[]> {
  const chance = new Chance('git', seed);
  const marks = [await head(world)];
  const seen: unknown[] = [];
  for (let step = 0; step < STEPS; step++) {
    const name = chance.pick(Object.keys(DEEDS) as [string, ...string[]]);
    const result = await DEEDS[name]?.(world, chance, marks);
    seen.push({ name, result, ...((await look(world, marks)) as object) });
  }
  await world.cleanup();
  return seen;
}

test(
  'git in memory does what git does, whatever is asked of it',
  async () => {
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const [real, memory] = [await live(await gitProgramWorld(), seed), await live(await memoryGitWorld(), seed)];
      expect(memory, `seed ${seed}`).toEqual(real);
    }
  },
  TIMEOUT_MS,
);
