import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program as it is built: `npm test` builds first. */
export const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository with a spec `demo` of one task, on a branch of its own, and a home beside it. */
export interface Workshop {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (path: string, text: string) => void;
  /** Runs the built program to its end. */
  readonly run: (...args: readonly string[]) => Result;
  /** Starts the built program, with its output on pipes. */
  readonly start: (...args: readonly string[]) => ChildProcess;
  readonly remove: () => void;
}

const PLAN =
  '# Tasks\n\n- [ ] 1.1 Add the file\n  - **Files**: a.txt\n  - **Verify**: `test -f a.txt`\n  - **Commit**: `feat: add the file`\n';

export function workshop(): Workshop {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'built-')));
  const dir = join(root, 'repository');
  const home = join(root, 'home');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    TMPDIR: tmpdir(),
    GIT_CONFIG_NOSYSTEM: '1',
    SPECLOOP_TRUST: '1',
    SPECLOOP_RESEARCH: '1',
    // Worktrees take time.
    SPECLOOP_MEASURE: 'false',
  };
  const git = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: dir, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  mkdirSync(home);
  write('specs/demo/tasks.md', PLAN);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.invalid');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'init');
  git('switch', '--quiet', '--create', 'feat/demo');
  return {
    dir,
    env,
    git,
    write,
    run: (...args) => {
      const {
        status: code,
        stdout,
        stderr,
      } = spawnSync(process.execPath, [PROGRAM, ...args], { cwd: dir, env, encoding: 'utf8' });
      return { code, stdout, stderr };
    },
    start: (...args) =>
      spawn(process.execPath, [PROGRAM, ...args], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
