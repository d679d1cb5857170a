import type { AgentEnd, Usage } from './agent-end.ts';
import type { Answer } from './answer.ts';
import type { Effect } from './effect.ts';
import type { Evidence } from '../verify/evidence.ts';
import type { PlannedTask } from './planned-task.ts';
import type { Policy } from './policy.ts';
import type { StopSignal } from './stop-signal.ts';
import type { Carried } from './carried.ts';
import type { Outcome } from './outcome.ts';

/** Something that happened during a run. A fact, in plain data, never changed afterwards (R-FILE-7). */
export type RunEvent =
  | { readonly type: 'run-started'; readonly policy: Policy; readonly tasks: readonly PlannedTask[]; readonly agents: string; readonly carried: Carried; readonly globalIteration: number }
  | {
      readonly type: 'run-resumed';
      /** Where the branch stands now. */
      readonly head: string;
      /** The record found for a task whose commit was under way (R-ADV-2). */
      readonly recorded?: { readonly task: string; readonly commit: string };
      /** The plan, if a person changed it since (R-FILE-7). */
      readonly tasks?: readonly PlannedTask[];
      /** Limits that this start sets anew. */
      readonly policy?: Policy;
      /** Uncommitted paths of the user; absent while a task is in flight, as they can't be told from its work. */
      readonly foreign?: readonly string[];
    }
  | { readonly type: 'run-prepared'; readonly branch: string; readonly head: string; readonly foreign: readonly string[]; readonly notes: readonly string[] }
  | { readonly type: 'effect-started'; readonly effect: Effect }
  | {
      readonly type: 'agent-returned';
      readonly task: string;
      readonly attempt: number;
      readonly how: AgentEnd;
      readonly message: string;
      readonly answer: Answer;
      readonly usage: Usage;
      readonly durationMs: number;
      readonly resetsAt?: string;
    }
  | {
      readonly type: 'task-checked';
      readonly task: string;
      readonly attempt: number;
      readonly evidence: Evidence;
      /** The plan, if a person added to it meanwhile (R-VER-3). */
      readonly tasks?: readonly PlannedTask[];
    }
  | { readonly type: 'check-cancelled'; readonly task: string; readonly attempt: number }
  | { readonly type: 'task-committed'; readonly task: string; readonly attempt: number; readonly commit: string; readonly head: string }
  | { readonly type: 'commit-refused'; readonly task: string; readonly attempt: number; readonly output: string }
  | {
      readonly type: 'work-set-aside';
      readonly task: string;
      readonly attempt: number;
      /** Where the work is kept, unless there was none (R-RETRY-4). */
      readonly kept?: { readonly ref: string; readonly treeId: string };
      /** What was put right in the plan, the state file or the repository (R-VER-3). */
      readonly repaired: readonly string[];
      readonly tasks?: readonly PlannedTask[];
    }
  | { readonly type: 'waited'; readonly task: string; readonly attempt: number }
  | { readonly type: 'time-ran-out'; readonly limitMs: number }
  | { readonly type: 'stop-requested'; readonly signal: StopSignal }
  | { readonly type: 'run-finished'; readonly result: Outcome; readonly reason: string; readonly head: string; readonly unticked?: readonly string[] }
  | { readonly type: 'run-halted'; readonly result: 'interrupted' | 'fault'; readonly reason: string };

/** One line of the journal, of `--json` and of the dashboard's stream: the public format (section 15). */
export interface Envelope {
  readonly v: 1;
  /** Counts from 1 within a run, without a gap. */
  readonly seq: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly spec: string;
  readonly run: string;
  readonly event: RunEvent;
}
