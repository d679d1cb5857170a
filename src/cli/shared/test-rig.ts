import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { archiveOf } from '../../app/run/runs.ts';
import { taskMarkdown } from '../../core/plan/task-markdown.ts';
import type { RunEvent } from '../../core/run/data/event.ts';
import type { RunArchive } from '../../ports/store.ts';
import { runProgram } from '../program.ts';
import { type Told, tell } from './exit.ts';

export interface KeptOutput extends Writable {
  readonly isTTY?: boolean;
  readonly text: () => string;
}

/** An output that keeps what is written to it, and emits `printed` when something was. */
export function output(options: { readonly isTTY?: boolean } = {}): KeptOutput {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      stream.emit('printed');
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString(), ...options });
}

/** How a command ended, and what it printed. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** To look at while the command runs. */
  readonly stdout?: KeptOutput;
}

/** Runs the program in this process, in a folder, with no more of the environment than it is given. */
export async function runIn(
  cwd: string,
  argv: readonly string[],
  { env = {}, stdout: given, ...terminal }: RunOptions = {},
): Promise<Outcome> {
  const stdout = given ?? output(terminal);
  const stderr = output();
  const surroundings = { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, stdout, stderr };
  const told: Told = await runProgram(argv, surroundings).then((code) => ({ code, text: '' }), tell);
  return { code: told.code, stdout: stdout.text(), stderr: stderr.text() + told.text };
}

/** A repository with a home folder next to it. */
export interface TestRepository {
  readonly dir: string;
  readonly git: (...args: readonly string[]) => string;
  readonly write: (path: string, text: string) => void;
  readonly run: (argv: readonly string[], options?: RunOptions) => Promise<Outcome>;
  /** The runs of the spec in `specs/<name>`. */
  readonly archive: (name: string) => RunArchive;
  /** Writes a run of the spec down; resolves with its id. */
  readonly record: (name: string, events: readonly (RunEvent | readonly RunEvent[])[]) => Promise<string>;
  readonly remove: () => void;
}

export function testRepository(): TestRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cli-')));
  const dir = join(root, 'repository');
  const env = { PATH: process.env.PATH, HOME: join(root, 'home'), GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: dir, env, encoding: 'utf8' });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  mkdirSync(dir);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.invalid');
  const archive = (name: string) => {
    const path = `specs/${name}`;
    const gitDir = join(dir, '.git');
    return archiveOf({
      repository: { root: dir, commonDir: gitDir, gitDir },
      spec: { name, operand: name, path, dir: join(dir, path), format: taskMarkdown, progressFile: '.progress.md' },
    });
  };
  return {
    dir,
    git,
    write,
    run: (argv, options = {}) => runIn(dir, argv, { ...options, env: { HOME: env.HOME, ...options.env } }),
    archive,
    async record(name, events) {
      const id = await archive(name).create();
      const journal = await archive(name).journal(id, 0);
      for (const event of events.flat()) await journal.append([event]);
      journal.close();
      return id;
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A plan of three tasks, the first of them done. */
export const PLAN = `# Tasks

## Phase 1: Make it work

- [x] 1.1 Add part 1.1
  - **Verify**: \`npm test\`
- [ ] 1.2 [P] Add part 1.2
  - **Verify**: \`npm run lint\`
- [ ] 1.3 [VERIFY] Look at it
  - **Verify**: Manual: open the page
`;
