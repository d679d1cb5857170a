import type { Role } from '../../agent/role.ts';
import type { ProjectCommand } from '../../planning/project-commands.ts';
import type { RealityPoint } from '../../planning/reality-check.ts';
import type { PullRequestStep } from '../../pull-request/step.ts';
import type { Failure } from '../../verify/failure.ts';
import type { Lane } from './lane.ts';
import type { Pause } from './pause.ts';
import type { RunEnding } from './run-ending.ts';

/** When the project's tests run: before the first task, at the end of a phase, at the end of the run. */
export type TestPoint = 'baseline' | 'phase' | 'end';

/** Something to do next. An order, in plain data, safe to carry out twice. */
export type Effect =
  /** Bring branch, ignore entries and spec commit about (R-START-2, R-START-6, R-FILE-8). */
  | { readonly do: 'prepare' }
  /** Run one agent on one task (R-DEL-1). */
  | ({ readonly do: 'delegate'; readonly role: Role; readonly base: string } & InLane & ByAgent)
  /** Measure what the agent left (R-VER-3, R-VER-5). */
  | ({ readonly do: 'check' } & InLane)
  /** Let a reviewer look at accepted work (R-VER-7). */
  | ({ readonly do: 'review'; readonly round: number } & InLane & ByAgent)
  /** Record the accepted work: tick, progress entry and commit as one unit (R-ADV-1). */
  | ({ readonly do: 'commit' } & InLane)
  /** Commit work that a reviewer sent back, without a tick, so that its fix begins on a clean tree. */
  | ({ readonly do: 'hold' } & InLane)
  /** Keep the work of a failed attempt under a ref and put the tree back (R-RETRY-4). */
  | ({ readonly do: 'set-aside'; readonly keepChanges: boolean } & InLane)
  /** Write a fix task into the plan (R-REC-4, R-REC-5). */
  | {
      readonly do: 'plan-fix';
      readonly task: string;
      readonly attempt: number;
      readonly fix: string;
      readonly failure: Failure;
    }
  /** Decide on a modification request and write what it asks for into the plan (R-MOD-2, R-MOD-3). */
  | ({ readonly do: 'modify' } & InLane)
  /** Check a draft, and that nothing else was changed (R-PLAN-2, R-PLAN-5). */
  | ({ readonly do: 'check-draft' } & InLane)
  /** Record an accepted draft in a commit of its own (R-PLAN-2). */
  | ({ readonly do: 'record-draft' } & InLane)
  /** Take away what a run of planning made, and keep it under a ref (R-PLAN-3). */
  | { readonly do: 'roll-back' }
  /** Begin a batch: its members are written down before the first agent starts (R-PAR-2). */
  | { readonly do: 'open-batch'; readonly members: readonly string[]; readonly base: string }
  /** Check the members once more on the merged tree, then remove what the batch needed (R-PAR-3, R-PAR-5). */
  | { readonly do: 'close-batch' }
  /** Run the project's tests (R-START-7, R-ADV-3). */
  | { readonly do: 'test'; readonly when: TestPoint; readonly command: string; readonly known: readonly string[] }
  /** Run the command that shows the defect of a bug fix (R-BUG-1). */
  | { readonly do: 'reproduce'; readonly when: RealityPoint; readonly command: string }
  /** Run the quality commands of the project once, in a worktree that is thrown away (R-PLAN-2). */
  | { readonly do: 'measure'; readonly commands: readonly ProjectCommand[] }
  /** Wait until a usage limit is over (R-DEL-7), or, without a task, until a pull request is looked at again (R-PR-2). */
  | { readonly do: 'wait'; readonly task?: string; readonly attempt?: number; readonly pause: Pause }
  /** One step on the way of the pull request. */
  | ({ readonly do: 'pull-request' } & PullRequestStep)
  /** Bring the run to its end (R-ADV-3, R-RETRY-5). */
  | ({ readonly do: 'finish' } & RunEnding);

/** Name of the agent that does it, where the run has several for the role. */
interface ByAgent {
  readonly agent?: string;
}

/** What effects have in common that deal with the work of one attempt. */
interface InLane {
  readonly task: string;
  readonly attempt: number;
  /** Where the attempt works. */
  readonly lane: Lane;
}

/** The start of an effect as a journal tells it: those of earlier versions name no lane, and no state follows from it. */
export type StartedEffect = WithAnyLane<Effect>;

type WithAnyLane<E> = E extends InLane ? Omit<E, 'lane'> & Partial<Pick<E, 'lane'>> : E;
