import { explain, HaltedRun } from '../../app/explain.ts';
import { visible } from '../../core/text/sanitise.ts';
import { InterruptedError, StuckError, WaitingError } from '../../core/user-error.ts';
import type { Output } from './command.ts';

/** Exit codes of all commands (R-UX-4). */
export const EXIT = {
  ok: 0,
  /** `implement`: a task could not be completed. `validate` and `doctor`: something is wrong. */
  stuck: 1,
  /** Refused before anything began. */
  refused: 2,
  waiting: 3,
  limit: 4,
  bug: 70,
  /** Ctrl-C before anything began. */
  interrupted: 130,
} as const;

/** How long output may still be taken once a command is done. */
const FLUSH_MS_MAX = 10_000;

/** What is printed on stderr for an error, and the exit code it means. */
export interface Told {
  readonly text: string;
  readonly code: number;
}

/**
 * Puts an error into words. A mistake or a known fault is told without a stack, and its last line says what to do next
 * (R-UX-4); anything else is a bug in specloop. What an error quotes from outside is made harmless here (R-SEC-2).
 */
export function tell(error: unknown): Told {
  const known = explain(error);
  if (known !== undefined) {
    const hint = known.hint === undefined ? '' : `Hint: ${known.hint}\n`;
    return { text: visible(`${known.message}\n${hint}`), code: known.isFull ? EXIT.stuck : codeOf(error) };
  }
  const fault = error instanceof HaltedRun ? error.fault : error;
  const stack = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
  return {
    text: visible(
      `${stack}\nThis is a bug in specloop. Please report it with the lines above and the output of "specloop doctor".\n`,
    ),
    code: EXIT.bug,
  };
}

/** A run that has begun is stuck, and never refused. */
function codeOf(error: unknown): number {
  const fault = error instanceof HaltedRun ? error.fault : error;
  if (fault instanceof InterruptedError) return EXIT.interrupted;
  if (error instanceof WaitingError) return EXIT.waiting;
  return fault instanceof StuckError || error instanceof HaltedRun ? EXIT.stuck : EXIT.refused;
}

/**
 * Runs the program and sets the exit code of the process; the only place that does, and that prints errors. The process
 * ends when nothing is left to do, so that all that was printed arrives.
 */
export async function exitWith(run: () => Promise<number>, { stdout, stderr }: Outputs): Promise<void> {
  const end = ({ text, code }: Told): void => {
    stderr.write(text);
    process.exitCode ||= code;
  };
  process.on('uncaughtException', (error) => {
    end(tell(error));
    endNow(EXIT.bug);
  });
  // The reader of our output may have read enough, like `head`: that is no error and no reason to stop a run.
  closeOnError(stdout, (error) => error.code !== 'EPIPE' && end(unprinted(error)));
  closeOnError(stderr, () => {}); // There is no place left to tell it.
  try {
    const code = await run();
    process.exitCode ||= code;
  } catch (error) {
    end(tell(error));
  }
  endSoon();
}

/**
 * Writes nothing more to an output that failed once, as on a full disk: each further try would fail the same way, and
 * an answer to it on the same output would never end. The run itself goes on, as its journal holds everything.
 */
function closeOnError(output: Output, onFailure: (error: NodeJS.ErrnoException) => void): void {
  output.once('error', (error: NodeJS.ErrnoException) => {
    output.on('error', () => {}); // What was on its way fails as well.
    output.write = writeNothing;
    onFailure(error);
  });
}

/** Takes what is written as if it were printed, so that no writer waits for it. */
const writeNothing: Output['write'] = (...args: readonly unknown[]): boolean => {
  const done = args.at(-1);
  if (typeof done === 'function') setImmediate(() => done());
  return true;
};

/** A reader that takes nothing any more must not keep a process that is done; the timer itself keeps nothing. */
function endSoon(): void {
  setTimeout(() => process.exit(), FLUSH_MS_MAX).unref();
}

/** Ends the process, whatever is left to do. */
export function endNow(code: number): never {
  process.exit(code);
}

interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

function unprinted({ message }: Error): Told {
  return {
    text: `Cannot write the output: ${message}. Free some space or print elsewhere, then run the command again.\n`,
    code: EXIT.stuck,
  };
}
