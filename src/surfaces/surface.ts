import type { AgentEvent } from '../core/agent/agent-event.ts';
import type { Envelope } from '../core/run/data/event.ts';
import type { RunState } from '../core/run/data/state.ts';

/** One output of a run: a stream of sentences, a live screen, a file. It reads and never decides. */
export interface Surface {
  /** What it is called when its failure is mentioned, as `the event stream on stdout`. */
  readonly name: string;
  /**
   * Shows one event with the state after it. A promise means that the output takes its time: the next event comes
   * when it is fulfilled. May throw.
   */
  show(envelope: Envelope, after: RunState): void | Promise<void>;
  /** A running agent was seen to do something. For live screens. May throw. */
  active?(task: string, event: AgentEvent): void;
  /** Brings the output to its end; `show` is not called any more. */
  close(): Promise<void>;
}
