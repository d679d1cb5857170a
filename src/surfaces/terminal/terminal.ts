import type { Writable } from 'node:stream';
import pc from 'picocolors';
import type { AgentEvent, ToolCall } from '../../core/agent/agent-event.ts';
import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { unreachable } from '../../core/unreachable.ts';
import { pullRequestIdle } from '../../core/view/pull-request-idle.ts';
import { progress } from '../../core/view/totals/progress.ts';
import { nothingTallied, type Tally, tally } from '../../core/view/totals/tally.ts';
import type { Surface } from '../surface.ts';
import { textOutput } from '../text-output.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { type Line, paint } from './line.ts';
import { painter } from './painter.ts';
import { asciiSymbols, unicodeSymbols } from './symbols.ts';
import { callFor, noTaskbar, taskbar } from './taskbar.ts';

/** A terminal to write to, as the standard streams are. */
export type Screen = Writable & { readonly columns?: number; readonly rows?: number };

export interface TerminalOrder {
  readonly screen: Screen;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly colour: boolean;
  readonly unicode: boolean;
  /** Whether the terminal's own progress display is used. */
  readonly taskbar: boolean;
  /** Where the logs of the agents are, for the footer. */
  readonly logs?: string;
  /** What the journal held before this start of the run, added up. */
  readonly earlier?: Tally;
}

/** Time between two frames: at most ten a second when something happens, four when only time passes. Milliseconds. */
const FRAME_MS = { min: 100, max: 250 };
/** A beat that comes later than this was held up by more than other work. Milliseconds. */
const LATE_MS = 1000;
const COLUMNS = 80;
const ROWS = 24;

/**
 * The live view of a run (R-UX-2): what is finished scrolls into the terminal's history, what is under way is in a
 * small region below it. Time is read from `now`, so the view moves on while no event comes.
 */
export function terminalSurface(order: TerminalOrder): Surface {
  return new Terminal(order);
}

class Terminal implements Surface {
  readonly name = 'the live view';
  readonly #order: TerminalOrder;
  readonly #output;
  readonly #painter = painter();
  readonly #taskbar;
  readonly #colours;
  readonly #symbols;
  readonly #beat: NodeJS.Timeout;
  readonly #activeAtMs = new Map<string, number>();
  readonly #doing = new Map<string, ToolCall>();
  readonly #finished: Line[] = [];
  #tally: Tally;
  #state: RunState | undefined;
  #tick = 0;
  /** What calls a person that the run waits for, once it has ended. */
  #call = '';
  #beatAtMs: number;
  #paintedAtMs = Number.NEGATIVE_INFINITY;
  #soon: NodeJS.Timeout | undefined;
  #isWriting = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(order: TerminalOrder) {
    this.#order = order;
    this.#output = textOutput(order.screen);
    this.#taskbar = order.taskbar ? taskbar() : noTaskbar;
    this.#colours = pc.createColors(order.colour);
    this.#symbols = order.unicode ? unicodeSymbols : asciiSymbols;
    this.#tally = order.earlier ?? nothingTallied;
    this.#beatAtMs = order.now();
    this.#beat = setInterval(this.#onBeat, FRAME_MS.max).unref();
    process.on('SIGCONT', this.#onContinued);
    process.on('exit', this.#onExit);
  }

  show(envelope: Envelope, state: RunState): void {
    if (this.#failure) throw this.#failure.error;
    const before = this.#state && { state: this.#state, tally: this.#tally };
    this.#state = state;
    this.#tally = tally(this.#tally, envelope, state);
    const { event } = envelope;
    if (event.type === 'run-finished' && event.result === 'waiting')
      this.#call = callFor(event.reason, { showsMessages: this.#order.taskbar });
    if (event.type === 'effect-started' && 'task' in event.effect) {
      this.#doing.delete(event.effect.task);
      this.active(event.effect.task, { type: 'output' });
    }
    this.#finished.push(...history(envelope, { before, after: { state, tally: this.#tally } }, this.#symbols));
    this.#paintSoon();
  }

  active(task: string, event: AgentEvent): void {
    this.#activeAtMs.set(task, this.#order.now());
    if (event.type === 'tool-call') this.#doing.set(task, event);
  }

  async close(): Promise<void> {
    clearInterval(this.#beat);
    clearTimeout(this.#soon);
    process.off('SIGCONT', this.#onContinued);
    process.off('exit', this.#onExit);
    if (this.#failure) return;
    const { columns } = this.#size();
    await this.#output.write(
      `${this.#painter.draw(this.#takeFinished(), [], columns)}${this.#taskbar.clear()}${this.#call}`,
    );
    await this.#output.flushed();
  }

  #paintSoon(): void {
    const waitMs = this.#paintedAtMs + FRAME_MS.min - this.#order.now();
    if (waitMs <= 0) this.#paint();
    else this.#soon ??= setTimeout(this.#onSoon, waitMs).unref();
  }

  /** A timer has no caller that could take an error: it is kept until the next event. */
  #paint(): void {
    if (this.#isWriting || this.#failure || this.#isLate()) return;
    try {
      this.#paintedAtMs = this.#order.now();
      const text = this.#frame();
      const written = text === '' ? undefined : this.#output.write(text);
      if (written) this.#waitFor(written);
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** A terminal that is slow skips frames. */
  #waitFor(written: Promise<void>): void {
    this.#isWriting = true;
    written.then(
      () => {
        this.#isWriting = false;
      },
      (error: unknown) => {
        this.#failure = { error };
      },
    );
  }

  #frame(): string {
    const nowMs = this.#order.now();
    const { columns, rows } = this.#size();
    const { scene, canvas } = this.#scene(nowMs, columns);
    const region = scene ? frame(scene, canvas).slice(0, rows - 1) : [];
    const limits = { cellsMax: columns - 1, ellipsis: this.#symbols.ellipsis };
    const painted = region.map((line) => paint(line, this.#colours, limits));
    return `${this.#painter.draw(this.#takeFinished(), painted, columns)}${scene ? this.#taskbar.show(scene.progress, nowMs) : ''}`;
  }

  #scene(nowMs: number, columns: number) {
    const state = this.#state;
    const canvas = { columns, symbols: this.#symbols, tick: this.#tick };
    if (state === undefined || state.phase === 'over') return { scene: undefined, canvas };
    const quietMs = new Map([...this.#activeAtMs].map(([task, atMs]) => [task, nowMs - atMs]));
    const { logs } = this.#order;
    const scene = {
      progress: progress(state, this.#tally, nowMs),
      idle: idleText(state, nowMs),
      quietMs,
      doing: this.#doing,
      isStopping: state.stopping !== undefined,
      ...(logs === undefined ? {} : { logs }),
    };
    return { scene, canvas };
  }

  /** Lines of the history are not cut: a terminal wraps them, and they can be copied whole. */
  #takeFinished(): readonly string[] {
    const limits = { cellsMax: Number.POSITIVE_INFINITY, ellipsis: '' };
    return this.#finished.splice(0).map((line) => paint(line, this.#colours, limits).text);
  }

  #size(): { readonly columns: number; readonly rows: number } {
    const { columns = COLUMNS, rows = ROWS } = this.#order.screen;
    return { columns: Math.max(2, columns || COLUMNS), rows: Math.max(2, rows || ROWS) };
  }

  readonly #onBeat = (): void => {
    const isLate = this.#isLate();
    this.#beatAtMs = this.#order.now();
    this.#tick++;
    if (!isLate) this.#paintSoon();
  };

  readonly #onSoon = (): void => {
    this.#soon = undefined;
    this.#paint();
  };

  /** A program that was suspended may run its timers before the signal that says so: painting waits for the next beat. */
  #isLate(): boolean {
    return this.#order.now() - this.#beatAtMs > LATE_MS;
  }

  /** While the program was suspended the shell wrote to the terminal. */
  readonly #onContinued = (): void => {
    this.#painter.forget();
    this.#paintSoon();
  };

  /** The process ends without `close`: a last write, which a terminal takes at once. */
  readonly #onExit = (): void => {
    this.#order.screen.write(`${this.#painter.erase(this.#size().columns)}${this.#taskbar.clear()}`);
  };
}

/** What the run does while no task is under way. */
function idleText({ phase, tests, batch, pullRequest }: RunState, nowMs: number): string {
  if (tests.isRunning) return 'running the tests';
  if (batch?.at === 'CLOSING') return 'checking the merged tree';
  if (phase === 'executing' && pullRequest?.underWay) return pullRequestIdle(pullRequest, nowMs);
  switch (phase) {
    case 'starting':
    case 'PREPARING':
      return 'preparing';
    case 'executing':
      return 'going on';
    case 'FINISHING':
    case 'over':
      return 'finishing';
    default:
      return unreachable(phase);
  }
}
