import type { AfterKilledRun } from '../../src/engine/watch/after-killed-run.ts';
import { Watch } from '../../src/engine/watch/watch.ts';
import type { WatchRecord } from '../../src/engine/watch/watch-record.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Git, Tree } from '../../src/ports/git.ts';
import type { Pictures } from '../../src/ports/pictures.ts';
import type { Processes } from '../../src/ports/process.ts';
import type { Journal, RunArchive, RunFolder, SpecFiles } from '../../src/ports/store.ts';
import { isProblem, type Workspace, type Workspaces } from '../../src/ports/workspace.ts';
import { memoryFiles } from '../memory/files.ts';
import { MemoryGit } from '../memory/git.ts';
import { memoryPictures } from '../memory/pictures.ts';
import { memoryProcesses } from '../memory/processes.ts';
import { MemoryRuns } from '../memory/runs.ts';
import { memoryWorkspaces } from '../memory/workspaces.ts';
import { awaken, reap } from './agents.ts';
import { runCheck } from './checks.ts';
import type { Gate, Kind, Step } from './gate.ts';
import { watchCommit, watchRemoval, watchRestore, watchStateFile, watchUnwind } from './watch.ts';
import { ROOT, SPEC, type World } from './world.ts';

const GIT_READS: ReadonlySet<string> = new Set([
  'inspect',
  'fingerprint',
  'unrecordable',
  'submodules',
  'hasCommitHooks',
  'ignoredBefore',
  'changedSince',
  'changedBetween',
  'diffSince',
  'fileAt',
  'findRecord',
  'uncommittedDiffers',
  'commitsBetween',
  'trailerValues',
  'isAncestor',
  'readRef',
]);

/** Git for one coordinator: its calls pass the gate, and what it brings about is watched. */
export function gitIn(world: World, gate: Gate): Git {
  const pass =
    <Args extends readonly unknown[], Answer>(name: string, act: (git: Git, ...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer> =>
      gate.pass(`git.${name}`, GIT_READS.has(name) ? 'read' : 'write', (between) =>
        act(new MemoryGit(world.repository, { between }), ...args),
      );
  const asIs = <Name extends keyof Git>(name: Name) =>
    pass(
      name,
      (git, ...args: Parameters<Git[Name]>): Promise<Awaited<ReturnType<Git[Name]>>> =>
        Reflect.apply(git[name], git, args),
    );
  return {
    inspect: asIs('inspect'),
    fingerprint: asIs('fingerprint'),
    unrecordable: asIs('unrecordable'),
    ignoredBefore: asIs('ignoredBefore'),
    hasCommitHooks: asIs('hasCommitHooks'),
    submodules: asIs('submodules'),
    putBack: asIs('putBack'),
    changedSince: asIs('changedSince'),
    changedBetween: asIs('changedBetween'),
    diffSince: asIs('diffSince'),
    fileAt: asIs('fileAt'),
    findRecord: asIs('findRecord'),
    trailerValues: asIs('trailerValues'),
    commitsBetween: asIs('commitsBetween'),
    isAncestor: asIs('isAncestor'),
    readRef: asIs('readRef'),
    unwind: pass('unwind', async (git, tree: Tree, to: string) => {
      watchUnwind(world, tree.dir);
      await git.unwind(tree, to);
    }),
    snapshot: asIs('snapshot'),
    salvage: asIs('salvage'),
    keepUncommitted: asIs('keepUncommitted'),
    uncommittedDiffers: asIs('uncommittedDiffers'),
    putBackUncommitted: asIs('putBackUncommitted'),
    workSince: asIs('workSince'),
    mend: asIs('mend'),
    clearLocks: asIs('clearLocks'),
    setRef: asIs('setRef'),
    removeRefs: asIs('removeRefs'),
    switchToNewBranch: asIs('switchToNewBranch'),
    addWorktree: asIs('addWorktree'),
    removeWorktree: pass('removeWorktree', async (git, dir: string) => {
      watchRemoval(world, dir);
      await git.removeWorktree(dir);
    }),
    apply: asIs('apply'),
    commit: pass('commit', async (git, ...[tree, order]: Parameters<Git['commit']>) => {
      const before = world.repository.headOf(world.repository.tree(tree.dir)) ?? '';
      const done = await git.commit(tree, order);
      watchCommit(world, tree.dir, { order, done, before });
      return done;
    }),
    restore: pass('restore', async (git, ...[tree, order]: Parameters<Git['restore']>) => {
      watchRestore(world, tree.dir, order);
      await git.restore(tree, order);
    }),
  };
}

export function filesIn(world: World, gate: Gate, dir = ROOT): SpecFiles {
  const files = () => memoryFiles(world.repository.tree(dir).files, SPEC);
  return {
    read: (name) => gate.pass(`files.read ${name}`, 'read', () => files().read(name)),
    remove: (name) => gate.pass(`files.remove ${name}`, 'write', () => files().remove(name)),
    takeBack: () => files().takeBack(),
    write: (name, text) =>
      gate.pass(`files.write ${name}`, 'write', async () => {
        await files().write(name, text);
        world.written.set(`${SPEC}/${name}`, text);
        if (name === '.ralph-state.json') watchStateFile(world, text);
      }),
  };
}

export function archiveIn(world: World, gate: Gate): RunArchive {
  const of = { spec: 'demo', clock: world.clock };
  const plain = new MemoryRuns(world.runs, of);
  const pass = <T>(name: string, kind: Kind, act: (step: Step) => Promise<T>) =>
    gate.pass(`archive.${name}`, kind, act);
  return {
    list: () => pass('list', 'read', () => plain.list()),
    read: (id) => pass('read', 'read', () => plain.read(id)),
    latest: () => pass('latest', 'read', () => plain.latest()),
    create: () => pass('create', 'write', () => plain.create()),
    folder: (id) => {
      const folder = plain.folder(id);
      return {
        logPath: folder.logPath,
        writeRecord: (name, text) => pass(`record ${name}`, 'write', () => folder.writeRecord(name, text)),
        readRecord: (name) => pass(`read record ${name}`, 'read', () => folder.readRecord(name)),
        removeRecord: (name) => pass(`remove record ${name}`, 'write', () => folder.removeRecord(name)),
      };
    },
    journal: (id, lastSeq) => pass('journal', 'write', () => gatedJournal(world, gate, { id, lastSeq })),
  };
}

async function gatedJournal(
  world: World,
  gate: Gate,
  { id, lastSeq }: { readonly id: string; readonly lastSeq: number },
): Promise<Journal & { close(): void }> {
  let between: Step = async () => {};
  const archive = new MemoryRuns(world.runs, { spec: 'demo', clock: world.clock }, { between: () => between() });
  const journal = await archive.journal(id, lastSeq);
  return {
    close: () => journal.close(),
    append: (events) => {
      if (events.some(({ type }) => type === 'task-checked')) awaken(world);
      return gate.pass(`journal.append ${events.map(({ type }) => type).join(' + ')}`, 'write', (step) => {
        between = step;
        return journal.append(events);
      });
    },
  };
}

/** Verify commands, and what a dead run left. */
export function processesIn(world: World, gate: Gate): Processes {
  const plain = memoryProcesses(async ({ argv, cwd }) => {
    const [, , command = ''] = argv;
    return { code: runCheck(world, { command, dir: cwd }), stdout: `ran ${command}\n` };
  });
  return {
    ...plain,
    run: (launch) => gate.pass(`processes.run ${launch.argv.at(-1)}`, 'agent', () => plain.run(launch)),
    reap: () =>
      gate.pass('processes.reap', 'agent', async () => {
        reap(world);
        return [];
      }),
  };
}

/** Pictures of one coordinator; what it puts back passes the gate. */
export function picturesIn(world: World, gate: Gate): Pictures {
  const plain = memoryPictures(world.repository);
  return {
    take: (scene) => gate.pass('pictures.take', 'read', () => plain.take(scene)),
    takeAgain: (before, scene) => gate.pass('pictures.takeAgain', 'read', () => plain.takeAgain(before, scene)),
    putBack: (before, undos) => gate.pass('pictures.putBack', 'write', () => plain.putBack(before, undos)),
  };
}

/** The watch of one coordinator. */
export function watchIn(
  { git, pictures, folder }: { readonly git: Git; readonly pictures: Pictures; readonly folder: RunFolder },
  earlier: { readonly killed?: AfterKilledRun | undefined; readonly handedOver?: WatchRecord | undefined },
): Watch {
  const { killed, handedOver } = earlier;
  const setRef = (ref: string, commit: string) => git.setRef(ref, commit);
  const found = { ...(killed && { killed }), ...(handedOver && { handedOver }) };
  return new Watch({ main: { dir: ROOT }, spec: 'demo', pictures, folder, setRef, ...found });
}

export function clockIn(world: World, gate: Gate): Clock {
  return {
    now: () => world.clock.now(),
    sleepUntil: (instant, signal) =>
      gate.pass('clock.sleepUntil', 'agent', () => world.clock.sleepUntil(instant, signal)),
    sleepMs: (ms, signal) => gate.pass('clock.sleepMs', 'agent', () => world.clock.sleepMs(ms, signal)),
  };
}

/** Worktrees of members; what they do goes through the git of this coordinator, and so through its gate. */
export function workspacesIn(
  world: World,
  gate: Gate,
  { git, run }: { readonly git: Git; readonly run: string },
): Workspaces {
  const plain = memoryWorkspaces({ repository: world.repository, git, root: '/worktrees', run, specPath: SPEC });
  const gated = (workspace: Workspace): Workspace => ({
    ...workspace,
    files: filesIn(world, gate, workspace.tree.dir),
  });
  return {
    ...plain,
    async open(order) {
      const opened = await plain.open(order);
      return isProblem(opened) ? opened : gated(opened);
    },
    async find(name) {
      const found = await plain.find(name);
      return found && gated(found);
    },
  };
}
