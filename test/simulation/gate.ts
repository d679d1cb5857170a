import { GitFault } from '../../src/ports/git.ts';
import { StorageFault } from '../../src/ports/store.ts';
import type { Accident, Errno } from './accident.ts';

/** What a call of a port does to the world: who only reads can't meet a full disk, an agent meets no fault of ours. */
export type Kind = 'read' | 'write' | 'agent';

/** One call of a port, as it was made. */
export interface Call {
  readonly name: string;
  readonly kind: Kind;
  /** Steps inside it, between which a crash may fall. */
  steps: number;
}

/** Awaited between two steps of a call. */
export type Step = () => Promise<void>;

/** All calls of a life, in order, over all restarts. */
export type Calls = Call[];

/** A place at which a coordinator may crash: the nth call and a step of it, as in `Accident`. */
export type Point = Pick<Extract<Accident, { what: 'crash' }>, 'at' | 'step'>;

export interface GateOptions {
  readonly accidents: readonly Accident[];
  readonly onStop: (accident: Extract<Accident, { what: 'stop' }>) => void;
  /** Called at every place at which a crash may fall. */
  readonly onPoint?: (point: Point) => void;
}

type FaultAccident = Extract<Accident, { what: 'fault' }>;

/**
 * Stands between one coordinator and all its ports. When the coordinator crashes, it is abandoned: no call of it ever
 * does anything again, and none ever returns.
 */
export class Gate {
  /** Resolves when the coordinator crashes. */
  readonly death: Promise<'crashed'>;
  readonly #calls: Calls;
  readonly #accidents: readonly Accident[];
  readonly #stop: (accident: Extract<Accident, { what: 'stop' }>) => void;
  #die: () => void = () => {};
  #isDead = false;
  readonly #onPoint: (point: Point) => void;
  #lasting: FaultAccident | undefined;

  constructor(calls: Calls, { accidents, onStop, onPoint = () => {} }: GateOptions) {
    this.#calls = calls;
    this.#accidents = accidents;
    this.#stop = onStop;
    this.#onPoint = onPoint;
    this.death = new Promise((resolve) => {
      this.#die = () => {
        this.#isDead = true;
        resolve('crashed');
      };
    });
  }

  /** Ends this coordinator: it is as good as crashed. */
  abandon(): void {
    this.#isDead = true;
  }

  /** Lets one call of a port through, or lets happen to it what is due. The call awaits `step` between its own steps. */
  async pass<T>(name: string, kind: Kind, act: (step: Step) => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    const call: Call = { name, kind, steps: 0 };
    const at = this.#calls.push(call);
    const accident = this.#accidents.find((due) => due.at === at);
    const meets = (step: Point['step']) => {
      this.#onPoint({ at, step });
      return accident?.what === 'crash' && accident.step === step;
    };
    if (accident?.what === 'stop') this.#stop(accident);
    if (meets(0)) return this.#crash();
    this.#failFirst(call, accident);
    const result = await act(async () => {
      if (this.#isDead) return never();
      call.steps += 1;
      if (meets(call.steps)) return this.#crash();
      if (accident?.what === 'fault' && accident.step === call.steps && kind === 'write')
        throw this.#fault(call, accident);
    });
    if (this.#isDead) return never();
    if (meets('after') || (accident?.what === 'crash' && accident.step !== 0)) return this.#crash();
    return result;
  }

  #failFirst(call: Call, accident: Accident | undefined): void {
    if (this.#lasting && isMetBy(call, this.#lasting)) throw faultOf(call, this.#lasting.errno);
    if (accident?.what === 'fault' && accident.step === 0 && isMetBy(call, accident)) throw this.#fault(call, accident);
  }

  #fault(call: Call, accident: FaultAccident): Error {
    if (accident.lasts) this.#lasting = accident;
    return faultOf(call, accident.errno);
  }

  #crash(): Promise<never> {
    this.#die();
    return never();
  }
}

/** A full disk stops no reader, and what may not be written can still be read. */
function isMetBy({ kind }: Call, { errno }: FaultAccident): boolean {
  return kind === 'write' || (kind === 'read' && errno === 'EIO');
}

/** The fault as the real adapters throw it. */
function faultOf({ name }: Call, errno: Errno): Error {
  const kinds = { ENOSPC: 'disk-full', EACCES: 'not-writable', EIO: undefined } as const;
  const message = `${name} met ${errno}.`;
  if (name.startsWith('git.')) return new GitFault(kinds[errno] ?? 'other', message);
  return new StorageFault(kinds[errno] ?? 'io', name, message);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
