import type { AgentEnd, Usage } from '../../agent/agent-end.ts';
import type { Question } from '../../answer/questions.ts';
import type { Inserted } from '../../plan/data/inserted.ts';
import type { PlannedTask } from '../../plan/data/planned-task.ts';
import type { ModificationType } from '../../plan/edit/modification.ts';
import type { DraftProblem } from '../../planning/draft-problem.ts';
import type { PlanningFacts } from '../../planning/planning-facts.ts';
import type { MeasuredCommand } from '../../planning/project-commands.ts';
import type { RealityCheck } from '../../planning/reality-check.ts';
import type { Policy } from '../../policy.ts';
import type { ShownScope } from '../../progress/scope.ts';
import type { PullRequestEvent } from '../../pull-request/event.ts';
import type { Evidence } from '../../verify/evidence.ts';
import type { Noticed } from '../../verify/noticed.ts';
import type { Answer } from './answer.ts';
import type { Carried } from './carried.ts';
import type { StartedEffect, TestPoint } from './effect.ts';
import type { Holder } from './hand-over.ts';
import type { Outcome } from './outcome.ts';
import type { StopSignal } from './stop-signal.ts';

/** Something that happened during a run. A fact, in plain data, never changed afterwards (R-FILE-7). */
export type RunEvent =
  | {
      readonly type: 'run-started';
      readonly policy: Policy;
      readonly tasks: readonly PlannedTask[];
      /** Names of the agents, for people. */
      readonly agents: string;
      readonly carried: Carried;
      readonly globalIteration: number;
      /** Who drives the run; absent for a process that runs the agents itself, and in older journals. */
      readonly driver?: string;
      /** Set if the run drafts the documents of a spec: then its tasks are steps (R-PLAN-2). */
      readonly planning?: PlanningFacts;
    }
  | {
      readonly type: 'run-resumed';
      /** Where the branch is now. */
      readonly head: string;
      /** The commit that was found for a task whose commit was under way (R-ADV-2). */
      readonly recorded?: { readonly task: string; readonly commit: string };
      /** The plan, if a person changed it since (R-FILE-7). */
      readonly tasks?: readonly PlannedTask[];
      /** New limits of this start. */
      readonly policy?: Policy;
      /** Uncommitted paths of the user; absent where they can't be told from work: in flight, or of failed attempts that was kept. */
      readonly foreign?: readonly string[];
      /** Who drives the run from here; absent for a process that runs the agents itself. */
      readonly driver?: string;
      /** What a person answered to the questions of tasks, by key (R-AGT-6), or what is assumed in place of that (R-ASK-2). */
      readonly answers?: readonly {
        readonly task: string;
        readonly answer: string;
        /** Which of its questions, by id, where it asked several. */
        readonly question?: string;
        readonly basis?: 'assumed';
      }[];
      /** The time that its driver may take is over already (R-DEL-8). */
      readonly outOfTime?: { readonly limitMs: number };
    }
  | {
      readonly type: 'run-prepared';
      readonly branch: string;
      readonly head: string;
      readonly foreign: readonly string[];
      readonly notes: readonly string[];
      /** Keys of ticked tasks that no commit made by specloop records. */
      readonly byHand?: readonly string[];
      /** The plan, where hooks changed its form when the spec was committed (R-ADV-5). */
      readonly tasks?: readonly PlannedTask[];
    }
  | {
      readonly type: 'effect-started';
      readonly effect: StartedEffect;
      /** Who carries it out, if it is not this process. */
      readonly holder?: Holder;
    }
  /** The driver reported the answer to work that was handed over; said again if a process is killed before it is taken up. */
  | (OfAttempt & {
      readonly type: 'work-reported';
      readonly driver: string;
      /** Set if the answer came from the agent itself; else the driver relayed it (R-SES-3). */
      readonly by?: 'helper';
    })
  | (OfAttempt &
      AgentReport &
      Watched & {
        readonly type: 'agent-returned';
        readonly answer: Answer;
        /** Tools that the agent wanted to use and was not allowed to. */
        readonly denials?: readonly string[];
        /** What it noted for later tasks by a tool (R-AGT-9). */
        readonly learned?: readonly string[];
        /** Length of the prompt that it got. */
        readonly promptBytes?: number;
      })
  | (OfAttempt & {
      readonly type: 'task-checked';
      readonly evidence: Evidence;
      /** The plan, if a person added to it in the meantime (R-VER-3). */
      readonly tasks?: readonly PlannedTask[];
    })
  | (OfAttempt & {
      readonly type: 'check-cancelled';
      /** Files of the work that something changed after they were proved, if that is why it has to be proved again (R-VER-13). */
      readonly moved?: readonly string[];
    })
  /** The worktree of a member is gone, or git cannot read it any more: nothing of the attempt can be checked. */
  | (OfAttempt & { readonly type: 'work-lost' })
  | (OfAttempt &
      AgentReport &
      Noted &
      Watched & {
        readonly type: 'task-reviewed';
        readonly round: number;
        readonly verdict: 'pass' | 'fail' | 'none';
        readonly findings: { readonly code: readonly string[]; readonly spec: readonly string[] };
        /** Sentences of a pass that say that not all was looked at (R-VER-11). */
        readonly doubts?: readonly string[];
        readonly excerpt: string;
      })
  | (OfAttempt & PlanAdded & Noted & { readonly type: 'work-held'; readonly commit: string; readonly head: string })
  | (OfAttempt &
      PlanAdded &
      LeftByCommands &
      Noted & {
        readonly type: 'task-committed';
        readonly commit: string;
        readonly head: string;
        /** Files that a hook put right; they were proved again (R-ADV-5). */
        readonly repaired?: readonly string[];
      })
  /** The work was not committed, and counts as failed: a hook said no to it (`work`), or git cannot take it (`unfit`). Absent in older journals: `work`. */
  | (OfAttempt & {
      readonly type: 'commit-refused';
      readonly output: string;
      readonly cause?: 'work' | 'unfit';
    })
  /**
   * A commit was not made, for a reason that no agent can mend, or because the run was stopped. Nothing is lost or counted:
   * it is made at the next start (R-ADV-5).
   */
  | (Partial<OfAttempt> & {
      readonly type: 'commit-blocked';
      readonly cause: BlockedBy;
      /** First line of the message. */
      readonly subject: string;
      /** What hooks, signing or git said. */
      readonly output: string;
    })
  /** Hooks or signing keep a commit waiting. */
  | (Partial<OfAttempt> & { readonly type: 'commit-slow'; readonly runs: 'hooks' | 'signing' })
  | (OfAttempt &
      SetAside & {
        readonly type: 'work-set-aside';
        readonly tasks?: readonly PlannedTask[];
      })
  | (OfAttempt &
      PlanAdded &
      Noted & {
        readonly type: 'fix-planned';
        readonly inserted: Inserted;
        readonly error: string;
        readonly head: string;
      })
  | (OfAttempt &
      PlanAdded &
      Noted & {
        readonly type: 'plan-modified';
        readonly request: ModificationType;
        readonly inserted: Inserted;
        readonly reason: string;
        readonly head: string;
      })
  | (OfAttempt & { readonly type: 'modification-refused'; readonly reason: string })
  /** The author of a document asks; its draft so far is kept (R-ASK-1). */
  | (OfAttempt & SetAside & { readonly type: 'questions-asked'; readonly questions: readonly Question[] })
  /** What the checks say of a draft, and of what its agent did in addition (R-PLAN-2, R-PLAN-5). */
  | (OfAttempt &
      Noted & {
        readonly type: 'draft-checked';
        /** Hash of its content, without front matter; absent where there is no text. */
        readonly sha256?: string;
        readonly problems: readonly DraftProblem[];
        /** It says that the goal should not be met (R-STOP-1). */
        readonly advisesAgainst?: true;
        /** The scope that it drafts, or that a person wrote (R-SCOPE-1). */
        readonly scope?: ShownScope;
        /** How many Verify commands of the plan were not tried, as no person has trusted them (R-PROBE-1). */
        readonly untried?: number;
        /** Other paths that were changed. */
        readonly elsewhere?: readonly string[];
        /** What was done to the repository or the books. */
        readonly violations?: readonly string[];
      })
  | (OfAttempt &
      LeftByCommands &
      Noted & {
        readonly type: 'draft-recorded';
        readonly sha256: string;
        /** What it was made from: other documents of the spec with the hashes of their content, by name (R-GATE-5). */
        readonly inputs: Readonly<Record<string, string>>;
        /** Absent where documents are not committed. */
        readonly commit?: string;
        readonly head: string;
      })
  /** What a run of planning had made was taken away after it failed (R-PLAN-3). */
  | {
      readonly type: 'drafts-removed';
      /** The refs that keep it. */
      readonly kept: readonly string[];
      /** What came back, a sentence each. */
      readonly restored: readonly string[];
    }
  | { readonly type: 'batch-opened'; readonly members: readonly string[]; readonly base: string }
  | (OfAttempt & { readonly type: 'merge-conflicted'; readonly paths: readonly string[] })
  | (OfAttempt & { readonly type: 'merge-rejected'; readonly command: string; readonly output: string })
  | (Noted &
      LeftByCommands & {
        readonly type: 'batch-closed';
        /** Members that broke what another one's Verify command checks; their boxes are open again. */
        readonly broken: readonly {
          readonly task: string;
          readonly command: string;
          readonly output: string;
          readonly victim: string;
        }[];
        readonly head: string;
        /** Uncommitted paths in the user's tree: all a person's, as no task is at work. */
        readonly foreign?: readonly string[];
      })
  | (Noted &
      Watched & {
        readonly type: 'tests-run';
        readonly when: TestPoint;
        /** Names of the tests that failed; those known before aside, and those that passed in a second run. */
        readonly failures: readonly string[];
        /** Last part of what the command printed; empty if nothing failed. */
        readonly output: string;
        readonly durationMs: number;
      })
  | { readonly type: 'tests-cancelled' }
  /** The command that shows the defect of a bug fix was run (R-BUG-1). */
  | (Noted & Watched & RealityCheck & { readonly type: 'reproduction-run'; readonly durationMs: number })
  | { readonly type: 'reproduction-cancelled' }
  /** The quality commands of the project were run once, before its documents (R-PLAN-2). */
  | (Noted & Watched & { readonly type: 'commands-measured'; readonly measured: readonly MeasuredCommand[] })
  | { readonly type: 'measuring-cancelled' }
  /** Without a task: for the pull request. */
  | (Partial<OfAttempt> & { readonly type: 'waited' })
  | { readonly type: 'time-ran-out'; readonly limitMs: number }
  | { readonly type: 'stop-requested'; readonly signal: StopSignal }
  | (LeftByCommands &
      Noted & {
        readonly type: 'run-finished';
        readonly result: Outcome;
        readonly reason: string;
        readonly head: string;
        /** What a person is asked for, where a run of planning waits for that. */
        readonly wants?: Wanted;
      })
  | PullRequestEvent
  | { readonly type: 'run-halted'; readonly result: 'interrupted' | 'fault'; readonly reason: string };

/**
 * Why a commit was not made. `message`: a hook refused the message of the plan. `signing`: it could not be signed.
 * `reference`: a hook refused to move the branch. `own`: a hook refused a commit of the coordinator's own. `stop`: the
 * run was stopped in the meantime.
 */
export type BlockedBy = 'message' | 'signing' | 'reference' | 'own' | 'stop';

/** The draft that waits for a person's approval, by its content (R-GATE-1), or the questions that wait for an answer (R-ASK-3). */
export type Wanted =
  | { readonly gate: { readonly artifact: string; readonly file: string; readonly sha256: string } }
  | { readonly questions: readonly Question[] };

/** The work of an attempt was kept, and the tree put back. */
interface SetAside extends Noted {
  /** Where the work is kept, unless there was none (R-RETRY-4). */
  readonly kept?: { readonly ref: string; readonly treeId: string; readonly commit?: string };
  /** What was put right in the plan, the state file or the repository (R-VER-3). */
  readonly repaired: readonly string[];
}

/** Which attempt at which task an event is about. `task` is the task's key. */
export interface OfAttempt {
  readonly task: string;
  readonly attempt: number;
}

/** What a person should know of it all the same, in sentences (R-ADV-6). */
export interface Noted {
  readonly notes?: readonly string[];
}

/** What was noticed around the work of an agent or a command, if anything was (R-VER-14). */
export interface Watched {
  readonly noticed?: Noticed;
}

/** The plan, if a person added to it in the meantime (R-VER-3). */
export interface PlanAdded {
  readonly tasks?: readonly PlannedTask[];
}

/** What commit hooks, or Verify commands on the merged tree, left uncommitted: put back, and kept under a ref (R-ADV-5, R-VER-13). */
export interface LeftByCommands {
  readonly left?: { readonly paths: readonly string[]; readonly kept?: string };
}

/** How an agent's process ended and what it spent. */
export interface AgentReport {
  readonly how: AgentEnd;
  /** One sentence: why it did not complete. Empty when it did. */
  readonly message: string;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly resetsAt?: string;
  /** When the agent ended, ISO 8601 in UTC; absent in older journals. */
  readonly endedAt?: string;
  /** Name of the agent, where the run has several for the role. */
  readonly agent?: string;
}

/** The event of one type. */
export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

/** One line of the journal, of `--json` and of the dashboard's stream: the public format (R-API-6). */
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
