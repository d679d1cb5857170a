import type { AgentEvent } from '../core/agent/agent-event.ts';
import type { Envelope } from '../core/run/data/event.ts';
import type { RunState } from '../core/run/data/state.ts';
import type { Surface } from './surface.ts';

/** How patient the run is with a surface. */
export interface Patience {
  /** Events that may wait for it. */
  readonly waitingMax: number;
  /** How long nothing may move when it is closed, in milliseconds. */
  readonly idleMsMax: number;
}

const PATIENCE: Patience = { waitingMax: 10_000, idleMsMax: 10_000 };

/** A surface with its own queue. No method throws, and `show` never waits for a slow output. */
export interface Isolated {
  show(envelope: Envelope, after: RunState): void;
  active(task: string, event: AgentEvent): void;
  /** Shows what waits, then closes the surface. */
  close(): Promise<void>;
}

/**
 * Keeps a surface from slowing or stopping a run. One that throws, or falls too far behind, is closed and shows nothing
 * any more; `onFault` gets one sentence about it, once.
 */
export function isolate(
  surface: Surface,
  onFault: (message: string) => void,
  patience: Partial<Patience> = {},
): Isolated {
  return new Queue(surface, onFault, { ...PATIENCE, ...patience });
}

/** Several surfaces as one. */
export function together(surfaces: readonly Isolated[]): Isolated {
  return {
    show(envelope, after) {
      for (const surface of surfaces) surface.show(envelope, after);
    },
    active(task, event) {
      for (const surface of surfaces) surface.active(task, event);
    },
    close: async () => {
      await Promise.all(surfaces.map((surface) => surface.close()));
    },
  };
}

class Queue implements Isolated {
  readonly #surface: Surface;
  readonly #onFault: (message: string) => void;
  readonly #patience: Patience;
  readonly #waiting: { readonly envelope: Envelope; readonly after: RunState }[] = [];
  #phase: 'open' | 'closing' | 'closed' = 'open';
  #isMentioned = false;
  #isDraining = false;
  #drained = Promise.resolve();
  #shown = 0;

  constructor(surface: Surface, onFault: (message: string) => void, patience: Patience) {
    this.#surface = surface;
    this.#onFault = onFault;
    this.#patience = patience;
  }

  show(envelope: Envelope, after: RunState): void {
    if (this.#phase !== 'open') return;
    if (this.#waiting.length >= this.#patience.waitingMax) {
      this.#giveUp('it is too slow');
      return;
    }
    this.#waiting.push({ envelope, after });
    if (!this.#isDraining) this.#drained = this.#drain();
  }

  active(task: string, event: AgentEvent): void {
    if (this.#phase !== 'open') return;
    try {
      this.#surface.active?.(task, event);
    } catch (error) {
      this.#giveUp(messageOf(error));
    }
  }

  async close(): Promise<void> {
    if (this.#phase !== 'open') return;
    this.#phase = 'closing';
    if (!(await this.#moves(this.#drained))) this.#giveUp('it no longer accepts output');
    if (this.#phase !== 'closing') return;
    this.#phase = 'closed';
    if (!(await this.#moves(this.#closeSurface()))) this.#mention('it no longer accepts output');
  }

  /** Shows what waits, one event after the other. Without a slow output it ends at once. */
  async #drain(): Promise<void> {
    this.#isDraining = true;
    try {
      for (let item = this.#waiting.shift(); item; item = this.#waiting.shift()) {
        const shown = this.#surface.show(item.envelope, item.after);
        if (shown) await shown;
        this.#shown++;
      }
    } catch (error) {
      this.#giveUp(messageOf(error));
    }
    this.#isDraining = false;
  }

  #giveUp(why: string): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#waiting.length = 0;
    this.#mention(why);
    void this.#closeSurface();
  }

  async #closeSurface(): Promise<void> {
    try {
      await this.#surface.close();
    } catch (error) {
      this.#mention(messageOf(error));
    }
  }

  #mention(why: string): void {
    if (this.#isMentioned) return;
    this.#isMentioned = true;
    const what = `specloop no longer writes to ${this.#surface.name}: ${why.replace(/\.$/, '')}.`;
    this.#onFault(`${what} The run is not affected; its journal holds everything.`);
  }

  /** Waits for the work; false once nothing has moved for too long. */
  async #moves(work: Promise<void>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const stuck = new Promise<false>((resolve) => {
      let seen = this.#shown;
      timer = setInterval(() => {
        if (seen === this.#shown) resolve(false);
        seen = this.#shown;
      }, this.#patience.idleMsMax);
    });
    const moved = await Promise.race([work.then(() => true), stuck]);
    clearInterval(timer);
    return moved;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
