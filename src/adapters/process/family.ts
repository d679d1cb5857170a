import { setTimeout as sleep } from 'node:timers/promises';
import type { StopStep } from '../../ports/process.ts';
import { beganAt, begunSoFar, type ProcessEntry, processTable } from './table.ts';

/** By what the members of a family are known. */
export interface Kinship {
  /** `NAME=value`, in the environment of every member that did not clear it. */
  readonly mark: string;
  /** Id of the program that was started, which leads a session of its own. */
  readonly leader?: number;
  /** Whether the leader only wraps the program: it is then not asked to leave, since all others would die with it. */
  readonly leaderWraps?: boolean;
}

const KILL_STEP = { signal: 'SIGKILL', graceMs: 5_000 } as const;
const POLL_MS_MIN = 4;
const POLL_MS_MAX = 50;
/** How soon a family is looked at after it began, and how rarely later, in milliseconds. */
const LOOK_MS_MIN = 50;
const LOOK_MS_MAX = 1_000;

/**
 * A program and all it started (R-DEL-6): what carries its mark, what is in its session, and what descends from either.
 * Who was seen once stays a member, also when its parents are gone by then.
 */
export class Family {
  readonly #kinship: Kinship;
  /** Ids of members, each with when it began, so that an id that was given out again is not mistaken for one. */
  readonly #seen = new Map<number, string>();

  /** What began before the leader did is none of its family, and not looked into. */
  readonly #since: number | undefined;

  constructor(kinship: Kinship) {
    this.#kinship = kinship;
    this.#since = kinship.leader === undefined ? undefined : beganAt(kinship.leader);
  }

  /** Ids of the members that are alive now; never that of this process. */
  look(): readonly number[] {
    const table = processTable(this.#kinship.mark, this.#since).filter((entry) => entry.pid !== process.pid);
    const members = withDescendants(table, (entry) => this.#isMember(entry));
    for (const { pid, began } of members) this.#seen.set(pid, began);
    return members.map(({ pid }) => pid);
  }

  /**
   * Looks again and again until what is returned is called: a child that was seen once while its parent was alive is
   * known for good, also when it clears its environment and starts a session of its own. Costs one small read where
   * nothing was begun on this machine in the meantime; does nothing where the system has no `/proc`.
   */
  keepLooking(): () => void {
    let seen = begunSoFar();
    if (seen === undefined) return () => {};
    let timer: NodeJS.Timeout;
    const lookIn = (ms: number) => {
      timer = setTimeout(() => {
        const begun = begunSoFar();
        if (begun !== seen) this.look();
        seen = begun;
        lookIn(Math.min(ms * 2, LOOK_MS_MAX));
      }, ms);
    };
    lookIn(LOOK_MS_MIN);
    return () => clearTimeout(timer);
  }

  /**
   * Takes each step: asks, or sends its signal to all members, and gives them its time; then kills those that are left, newcomers too,
   * until none is. Resolves with the ids of all that were to be ended; one that even SIGKILL does not end is waited for 5 s.
   */
  async end(steps: readonly StopStep[]): Promise<readonly number[]> {
    const ended = new Set<number>();
    for (const step of [...steps, KILL_STEP]) {
      if ('ask' in step && !step.ask()) continue;
      const left = await this.#take(step, ended);
      if (!left) break;
    }
    return [...ended];
  }

  /** Takes one step; resolves with whether a member is left, once none is or its time is over. */
  async #take(step: StopStep | typeof KILL_STEP, ended: Set<number>): Promise<boolean> {
    const { graceMs } = step;
    const signal = 'signal' in step ? step.signal : undefined;
    const until = performance.now() + graceMs;
    for (let pause = POLL_MS_MIN, isFirst = true; ; pause = Math.min(pause * 2, POLL_MS_MAX), isFirst = false) {
      const members = this.look();
      for (const pid of members) {
        ended.add(pid);
        // Who is asked to leave may start others to clean up; those are not asked.
        if (signal !== undefined && (isFirst || signal === 'SIGKILL')) this.#send(pid, signal);
      }
      if (members.length === 0) return false;
      if (performance.now() >= until) return true;
      await sleep(pause);
    }
  }

  #send(pid: number, signal: NodeJS.Signals): void {
    const { leader, leaderWraps } = this.#kinship;
    if (leaderWraps && pid === leader && signal !== 'SIGKILL') return;
    try {
      process.kill(pid, signal);
    } catch {
      // It left by itself in the meantime, or belongs to someone else.
    }
  }

  #isMember(entry: ProcessEntry): boolean {
    const { leader } = this.#kinship;
    if (entry.marked || this.#seen.get(entry.pid) === entry.began) return true;
    return leader !== undefined && (entry.session === leader || entry.group === leader);
  }
}

/** The entries that are chosen, and all that descend from them. */
function withDescendants(
  table: readonly ProcessEntry[],
  isChosen: (entry: ProcessEntry) => boolean,
): readonly ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found = new Set(table.filter(isChosen));
  // A set that grows while it is walked is walked to its end.
  for (const entry of found) for (const child of children.get(entry.pid) ?? []) found.add(child);
  return [...found];
}
