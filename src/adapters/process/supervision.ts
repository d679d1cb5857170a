import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * A shell that waits for our last word: it is there at once, and takes next to nothing while it waits. Only when we are
 * gone without one, however we died, it runs the supervisor, twice if need be: who is short of processes just then is not
 * for long. Ctrl-C in a terminal goes to it as well.
 */
const SHELL = '/bin/sh';
const VIGIL = `trap '' HUP INT TERM; read -r word || "$0" "$@" || { sleep 1; exec "$0" "$@"; }`;

/** The program that outlives us for a moment, to end what we started (R-DEL-6). One per run. */
export class Supervision {
  readonly #program: string;
  readonly #mark: string;
  #supervisor: ChildProcess | undefined;

  /** `mark` is `NAME=value`, `program` the path of the supervisor. Throws if it is not there. */
  constructor(program: string, mark: string) {
    if (!existsSync(program)) throw new Error(`${program} is missing. Reinstall specloop, or build it.`);
    this.#program = program;
    this.#mark = mark;
  }

  /** Sees to it that a supervisor runs, before anything is started that it is to watch over. */
  begin(): void {
    if (this.#supervisor !== undefined) return;
    const supervisor = spawn(SHELL, ['-c', VIGIL, process.execPath, this.#program, this.#mark], {
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = () => {
      if (this.#supervisor === supervisor) this.#supervisor = undefined;
    };
    supervisor.on('error', forget).on('exit', forget);
    supervisor.stdin.on('error', forget);
    supervisor.unref();
    if ('unref' in supervisor.stdin) (supervisor.stdin as unknown as NodeJS.Process['stdin']).unref();
    this.#supervisor = supervisor;
  }

  /** Lets the supervisor go, without ending anything. */
  leave(): void {
    this.#supervisor?.stdin?.end('leave\n');
    this.#supervisor = undefined;
  }
}

/** Where the supervisor of this installation is: next to this file once built, and then never looked for elsewhere. */
export function installedSupervisor(): string {
  const fromSources = import.meta.url.endsWith('.ts');
  return fileURLToPath(new URL(fromSources ? '../../../dist/supervisor.js' : './supervisor.js', import.meta.url));
}
