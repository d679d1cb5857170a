import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gitListing } from '../../src/adapters/git/listing.ts';
import { type Repository, repository, rigOf } from '../../src/adapters/git/test-rig.ts';
import { nodeProcesses } from '../../src/adapters/process/node.ts';
import { build } from '../../src/adapters/process/test-rig.ts';
import { specFiles } from '../../src/adapters/store/spec-files.ts';
import { type GitWorkspacesOptions, gitWorkspaces } from '../../src/adapters/workspace/git-workspaces.ts';
import type { SetupCommand } from '../../src/adapters/workspace/setup.ts';
import { taskMarkdown } from '../../src/core/plan/task-markdown.ts';
import type { GitListing } from '../../src/ports/git.ts';
import type { Processes } from '../../src/ports/process.ts';
import { isProblem, type Workspace, type Workspaces } from '../../src/ports/workspace.ts';

const { supervisorPath, remove } = build();
// All test files of a worker share it.
process.once('exit', remove);

export const RUN = '20261127T231513Z-4f3a9c';

/** A repository with a committed spec, and worktrees of it, over real git and real processes. */
export interface WorkspaceRig {
  readonly repo: Repository;
  readonly listing: GitListing;
  readonly cacheDir: string;
  /** The commit that holds the spec. */
  readonly base: string;
  /** Worktrees as a run sees them that was just started; of the same run if nothing else is said. */
  workspaces(change?: Partial<GitWorkspacesOptions>): Workspaces;
  /** A setup that runs this shell script. */
  setup(script: string, change?: Partial<SetupCommand>): SetupCommand;
  /** Opens a worktree, which has to work, with the hands to work in it. */
  open(workspaces: Workspaces, name: string, base?: string): Promise<Workspace & ReturnType<typeof rigOf>>;
  /** Paths of the worktrees git lists, beside the user's own tree. */
  listed(): Promise<readonly string[]>;
  cleanup(): Promise<void>;
}

export async function workspaceRig(): Promise<WorkspaceRig> {
  const repo = await repository();
  await repo.write('specs/demo/tasks.md', '- [ ] 1.1 Do it\n');
  await repo.sh('add', '--all');
  await repo.sh('commit', '--quiet', '--message', 'spec');
  const base = await repo.sh('rev-parse', 'HEAD');
  const listing = gitListing({ root: repo.tree.dir, env: repo.env });
  const processes: Processes = nodeProcesses({ runMark: randomUUID(), containment: 'marker', supervisorPath });
  const cacheDir = join(repo.beside, 'cache');
  const workspaces: WorkspaceRig['workspaces'] = (change = {}) =>
    gitWorkspaces({
      git: repo.git,
      listing,
      processes,
      repositoryRoot: repo.tree.dir,
      commonDir: join(repo.tree.dir, '.git'),
      spec: { name: 'demo', path: 'specs/demo', format: taskMarkdown },
      run: RUN,
      cacheDir,
      copy: [],
      specFilesOf: (dir) => specFiles(dir),
      ...change,
    });
  await mkdir(join(repo.beside, 'logs'));
  return {
    repo,
    listing,
    cacheDir,
    base,
    workspaces,
    setup: (script, change = {}) => ({
      argv: ['sh', '-c', script],
      timeoutMs: 60_000,
      environment: { PATH: process.env.PATH ?? '', COUNTER: join(repo.beside, 'counter') },
      logPath: (name) => join(repo.beside, 'logs', `${name}.log`),
      ...change,
    }),
    open: async (opener, name, at = base) => {
      const opened = await opener.open({ name, base: at, signal: new AbortController().signal });
      if (isProblem(opened)) throw new Error(opened.problem);
      return { ...opened, ...rigOf({ dir: opened.tree.dir, env: repo.env }) };
    },
    listed: async () => {
      const lines = (await repo.sh('worktree', 'list', '--porcelain')).split('\n');
      return lines.flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : [])).slice(1);
    },
    cleanup: async () => {
      await processes.close();
      await repo.cleanup();
    },
  };
}

/** All files and folders below a folder. */
export async function filesBelow(dir: string): Promise<readonly string[]> {
  return (await readdir(dir, { recursive: true }).catch(() => [])).sort();
}
