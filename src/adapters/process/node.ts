import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Containment, Ended, Launch, Processes } from '../../ports/process.ts';
import { Family } from './family.ts';
import { type NamespaceCommand, NO_NAMESPACE, WRAPPERS } from './namespace.ts';
import { PipeStock } from './pipes.ts';
import { runProgram } from './program.ts';
import type { RedactedStream } from './redaction.ts';
import { noSandbox, type Sandbox, sandboxed } from './sandbox.ts';
import { unstarted } from './start.ts';
import { installedSupervisor, Supervision } from './supervision.ts';

export interface ProcessOptions {
  /** Names this run to those who have to find what it left; letters, digits, `_` and `-`, at least 16 of them. */
  readonly runMark: string;
  /**
   * `marker`: programs are found again by their mark, session and ancestry. `namespace`: the kernel ends them, too;
   * the ids they see are then their own.
   */
  readonly containment: 'marker' | 'namespace';
  /** Puts every program into a sandbox, which is a process namespace too (R-SEC-3). */
  readonly sandbox?: Sandbox;
  /** Takes secrets out of logs and tails, as `redaction` does (R-SEC-2). Without it, all is kept as it was printed. */
  readonly redact?: () => RedactedStream;
  /** The built supervisor; by default the one that is installed with us. */
  readonly supervisorPath?: string;
}

const RUN_MARK = 'SPECLOOP_RUN_MARK';
const PROCESS_MARK = 'SPECLOOP_PROCESS_MARK';
const REAP_STEPS = [{ signal: 'SIGTERM', graceMs: 1_000 }] as const;
/** What is run to see whether anything can be. */
const TRIAL = { argv: ['true'], cwd: '/', limits: { wallMs: 10_000 }, tailBytesMax: 1_000 } as const;

/** A mark that no other run has. */
export function newMark(): string {
  return randomUUID().replaceAll('-', '');
}

/** Runs programs on this machine (R-DEL-6). Throws if `runMark` is no mark, or the supervisor is not there. */
export function nodeProcesses(options: ProcessOptions): Processes {
  return new NodeProcesses(options);
}

class NodeProcesses implements Processes {
  readonly runMark: string;
  readonly #containment: ProcessOptions['containment'];
  readonly #supervision: Supervision;
  readonly #closing = new AbortController();
  readonly #pipes = new PipeStock();
  readonly #sandbox: Sandbox | undefined;
  readonly #redact: ProcessOptions['redact'] | undefined;
  readonly #running = new Set<Promise<Ended>>();
  #wrapper: Promise<NamespaceCommand | undefined> | undefined;

  constructor({ runMark, containment, sandbox, redact, supervisorPath = installedSupervisor() }: ProcessOptions) {
    if (!isMark(runMark)) throw new Error(`"${runMark}" cannot be the mark of a run.`);
    this.runMark = runMark;
    this.#containment = containment;
    this.#sandbox = sandbox;
    this.#redact = redact;
    this.#supervision = new Supervision(supervisorPath, `${RUN_MARK}=${runMark}`);
  }

  prepare(): void {
    this.#supervision.begin();
    this.#pipes.prepare();
  }

  async run(launch: Launch): Promise<Ended> {
    const wrapper = await this.#wrapperFor(launch);
    if (wrapper === undefined) return unstarted({ how: 'not-started', reason: 'failed', message: NO_NAMESPACE });
    return this.#runIn(wrapper, launch);
  }

  async probe(): Promise<Containment> {
    if (this.#sandbox !== undefined) return this.#probeSandbox();
    if (this.#containment === 'marker' || (await this.#namespace()) !== undefined) return { works: true };
    return { works: false, problem: NO_NAMESPACE };
  }

  async reap(runMark: string): Promise<readonly number[]> {
    return isMark(runMark) ? new Family({ mark: `${RUN_MARK}=${runMark}` }).end(REAP_STEPS) : [];
  }

  async close(): Promise<void> {
    this.#closing.abort('now');
    await new Family({ mark: `${RUN_MARK}=${this.runMark}` }).end([]);
    await Promise.allSettled(this.#running);
    this.#supervision.leave();
    await this.#pipes.close();
  }

  async #runIn(wrapper: readonly string[], launch: Launch): Promise<Ended> {
    const processMark = newMark();
    if (!this.#closing.signal.aborted) this.#supervision.begin();
    const running = runProgram(launch, {
      mark: `${PROCESS_MARK}=${processMark}`,
      marks: { [RUN_MARK]: this.runMark, [PROCESS_MARK]: processMark },
      wrapper,
      closing: this.#closing.signal,
      pipes: this.#pipes,
      redact: this.#redact,
    });
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  async #wrapperFor(launch: Launch): Promise<readonly string[] | undefined> {
    if (this.#sandbox !== undefined) return sandboxed(launch, this.#sandbox);
    return this.#containment === 'namespace' ? this.#namespace() : [];
  }

  async #probeSandbox(): Promise<Containment> {
    const trial = await this.run({ ...TRIAL, cwd: tmpdir(), env: { PATH: process.env.PATH ?? '' } });
    const works = trial.how === 'exited' && trial.code === 0;
    return works ? { works } : { works: false, problem: noSandbox(trial.stderr.text) };
  }

  /** The first wrapper that really works here; tried once. */
  #namespace(): Promise<NamespaceCommand | undefined> {
    this.#wrapper ??= this.#firstWorking();
    return this.#wrapper;
  }

  async #firstWorking(): Promise<NamespaceCommand | undefined> {
    for (const wrapper of WRAPPERS) {
      const trial = await this.#runIn(wrapper, { ...TRIAL, env: { PATH: process.env.PATH ?? '' } });
      if (trial.how === 'exited' && trial.code === 0) return wrapper;
    }
    return undefined;
  }
}

function isMark(text: string): boolean {
  return /^[\w-]{16,}$/.test(text);
}
