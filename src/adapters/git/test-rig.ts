import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Git, Tree } from '../../ports/git.ts';
import { type GitCliOptions, gitCli } from './git-cli.ts';

/** A real repository of a test's own, on branch `feat/demo`, with one commit: `README.md`, `src/a.ts` and `.gitignore`. */
export interface Repository {
  readonly git: Git;
  readonly tree: Tree;
  /** The first commit. */
  readonly first: string;
  /** An empty folder next to the repository. */
  readonly beside: string;
  readonly env: NodeJS.ProcessEnv;
  write(path: string, text: string | Buffer): Promise<void>;
  /** `undefined` if the file is gone. */
  read(path: string): Promise<string | undefined>;
  remove(path: string): Promise<void>;
  /** Installs a hook: the lines of a shell script. */
  hook(name: string, script: string): Promise<void>;
  /** What a person or an agent does by hand; the output without its last line break. */
  sh(...args: readonly string[]): Promise<string>;
  cleanup(): Promise<void>;
}

const SETTINGS =
  '[user]\n\tname = Test\n\temail = test@example.invalid\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n';

/** Nothing of the developer's own settings reaches git. */
export async function repository(timeouts: GitCliOptions['timeouts'] = {}): Promise<Repository> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'specloop-git-')));
  const [dir, beside, home] = ['repo', 'beside', 'home'].map((name) => join(top, name)) as [string, string, string];
  await Promise.all([dir, beside, home].map((path) => mkdir(path)));
  await writeFile(join(home, 'gitconfig'), SETTINGS);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
  };
  const rig = rigOf({ dir, env });
  await rig.sh('init', '--quiet');
  await Promise.all([
    rig.write('README.md', 'hello\n'),
    rig.write('src/a.ts', 'a\n'),
    rig.write('.gitignore', '*.log\n/build/\n'),
  ]);
  await rig.sh('add', '--all');
  await rig.sh('commit', '--quiet', '--message', 'first');
  await rig.sh('switch', '--quiet', '--create', 'feat/demo');
  return {
    ...rig,
    git: gitCli({ root: dir, env, timeouts }),
    tree: { dir },
    first: await rig.sh('rev-parse', 'HEAD'),
    beside,
    env,
    cleanup: () => rm(top, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Hands in one working tree. */
export type Rig = Pick<Repository, 'write' | 'read' | 'remove' | 'hook' | 'sh'>;

/** The same hands in another working tree. */
export function rigOf({ dir, env }: { readonly dir: string; readonly env: NodeJS.ProcessEnv }): Rig {
  const write: Rig['write'] = async (path, text) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  return {
    write,
    read: (path) => readFile(join(dir, path), 'utf8').catch(() => undefined),
    remove: (path) => rm(join(dir, path), { recursive: true, force: true }),
    hook: async (name, script) => {
      await write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
      await chmod(join(dir, '.git/hooks', name), 0o755);
    },
    sh: async (...args) => {
      const { stdout } = await promisify(execFile)('git', args, { cwd: dir, env });
      return stdout.replace(/\n$/, '');
    },
  };
}

/** A process that has ended and that no one asked about is not alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
