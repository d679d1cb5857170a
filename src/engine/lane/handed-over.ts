import type { Role } from '../../core/agent/role.ts';
import type { HandOver } from '../../core/run/data/hand-over.ts';
import type { Noticed } from '../../core/verify/noticed.ts';
import type { AgentOutcome } from '../../ports/agent.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RunFolder } from '../../ports/store.ts';

/** What an agent that is not run here is given, and what has to be known when its work is taken up. */
export interface HandedBrief {
  readonly role: Role;
  /** The whole task in words (R-DEL-3). */
  readonly prompt: string;
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** The `SPECLOOP_*` variables (R-API-2). */
  readonly variables: Readonly<Record<string, string>>;
  /** When it was given, ISO 8601 in UTC. */
  readonly since: string;
  /** What the state file said: who works next to it has no right to change it (R-VER-3). */
  readonly stateText?: string;
  /** What the progress file said, where the agent works next to it. */
  readonly progress?: string;
  /** What a person should know of the preparation. */
  readonly notes?: readonly string[];
}

/** An agent's answer as it was reported. */
export interface ReportedAnswer {
  readonly answer: string;
  /** When it was reported, ISO 8601 in UTC. */
  readonly at: string;
  /** Set if the agent handed it in itself; else its driver relayed it (R-SES-3). */
  readonly by?: 'helper';
}

/**
 * The briefs of effects that were handed over, and the answers to them, in the folder of the run. An answer is written down
 * before anything is made of it, so a process that is killed then loses nothing (R-ADV-2).
 */
export class HandedOver {
  readonly #folder: Pick<RunFolder, 'readRecord' | 'writeRecord'>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(folder: Pick<RunFolder, 'readRecord' | 'writeRecord'>, clock: Pick<Clock, 'now'>) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async give(token: string, brief: Omit<HandedBrief, 'since'>): Promise<void> {
    const given: HandedBrief = { ...brief, since: this.#clock.now() };
    await this.#folder.writeRecord(`handed-over/${token}/brief.json`, JSON.stringify(given));
  }

  /** `undefined` if it was not written down, or is damaged: the work is then handed over again. */
  async brief(token: string): Promise<HandedBrief | undefined> {
    return read(await this.#folder.readRecord(`handed-over/${token}/brief.json`));
  }

  /** Writes an answer down, unless there is one: what comes after it, such as a driver's copy of it, does not count. */
  async report(token: string, answer: string, by?: 'helper'): Promise<void> {
    if ((await this.reported(token)) !== undefined) return;
    const reported: ReportedAnswer = { answer, at: this.#clock.now(), ...(by && { by }) };
    await this.#folder.writeRecord(`handed-over/${token}/answer.json`, JSON.stringify(reported));
  }

  /** The answer that was written down; `undefined` if none was. */
  async reported(token: string): Promise<ReportedAnswer | undefined> {
    return read(await this.#folder.readRecord(`handed-over/${token}/answer.json`));
  }

  /** Keeps what was noticed around the work (R-VER-14). */
  async keepNoticed(token: string, noticed: Noticed): Promise<void> {
    await this.#folder.writeRecord(`handed-over/${token}/noticed.json`, JSON.stringify(noticed));
  }

  async noticed(token: string): Promise<Noticed | undefined> {
    return read(await this.#folder.readRecord(`handed-over/${token}/noticed.json`));
  }

  /** How the work ended, reported or timed out; `undefined` while it goes on. */
  async outcome({ holder }: HandOver, brief: HandedBrief): Promise<AgentOutcome | undefined> {
    const reported = await this.reported(holder.token);
    const end = reported?.at ?? this.#clock.now();
    const durationMs = Math.max(0, Date.parse(end) - Date.parse(brief.since));
    if (reported) return { how: 'completed', answer: reported.answer, message: '', usage: {}, durationMs };
    if (end < holder.until) return undefined;
    return {
      how: 'timed-out',
      answer: '',
      message: `No answer was reported by ${holder.until}.`,
      usage: {},
      durationMs,
    };
  }
}

/** A record that is damaged counts as never written. */
function read<T extends object>(text = ''): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
