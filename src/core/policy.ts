import type { AgentPolicy } from './agent/agent-policy.ts';
import type { AnswerRule } from './answer/answered.ts';
import type { Dialect } from './plan/data/dialect.ts';
import type { ProjectCommand } from './planning/project-commands.ts';
import type { RealityPoint } from './planning/reality-check.ts';
import type { PullRequestPolicy } from './pull-request/policy.ts';

/** The choices and limits a run is bound by. Plain data: it is written down when the run starts. */
export interface Policy {
  /** Who ticks, logs and commits (R-DEL-5). */
  readonly bookkeeping: 'coordinator' | 'agent';
  /** Failed attempts of one task before the run stops (R-RETRY-1). */
  readonly maxTaskIterations: number;
  /** Attempts of all tasks together (R-RETRY-2). */
  readonly maxGlobalIterations: number;
  /** Equal failures without a change in the tree before the run stops (R-RETRY-3). */
  readonly stallAfter: number;
  /** How the plan is read, where a person named it (R-DIA-3). */
  readonly dialect?: Dialect;
  /** Whether optional tasks are run too (R-DIA-4). */
  readonly withOptional?: boolean;
  /** Whether a failure makes a fix task (R-REC-1). */
  readonly recoveryMode: boolean;
  readonly maxFixTasksPerOriginal: number;
  readonly maxFixTaskDepth: number;
  /** Modification requests taken for one task (R-MOD-2). */
  readonly maxModifications: number;
  /** When a reviewer looks at the work (R-VER-7). */
  readonly review: 'auto' | 'always' | 'strict' | 'off';
  readonly maxReviewRounds: number;
  /** What happens to changes outside *Files* (R-VER-6). */
  readonly scope: 'off' | 'warn' | 'enforce';
  /** Leaves the changes of a failed attempt in the tree (R-RETRY-4). */
  readonly keepFailedChanges: boolean;
  /** Agents at work at the same time (R-PAR-1). */
  readonly jobs: number;
  readonly isolation: 'worktree' | 'shared';
  /** Whether neighbours whose *Files* overlap may still share a batch. */
  readonly parallelOverlap: 'separate' | 'allow';
  /** The project's test command, run before the first task, at the end of each phase and at the end (R-START-7, R-ADV-3). */
  readonly testCommand?: string;
  /** Folder in which agents and commands run, relative to the repository's root, with `/`; absent or empty for the root. */
  readonly workdir?: string;
  /** Whether spec artifacts are committed before the first task (R-START-6). */
  readonly commitSpec: boolean;
  /** Whether a command that came into the plan during the run waits for trust; absent or false: it was given for them too (R-SEC-1). */
  readonly holdsAddedCommands?: boolean;
  /** What trusts the commands of this plan, told where the run waits for it. */
  readonly trustCommand?: string;
  /** How the branch is brought to a green pull request after the last task; absent: it is not (R-PR-8). */
  readonly pullRequest?: PullRequestPolicy;
  /** Spending at which the run stops, at a task boundary (R-DEL-8). */
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  /** How long one start of the run may take, in milliseconds: what is begun then comes to its end (R-DEL-8). */
  readonly maxTimeMs?: number;
  /** Longest wait for a usage limit, in milliseconds; absent: six hours (R-AGT-3). */
  readonly maxWaitMs?: number;
  /** Names of the agents, where others go on when one is at a usage limit (R-AGT-3). */
  readonly agents?: AgentPolicy;
  /** What a person answers to questions that agents may ask (R-AGT-6). */
  readonly answers?: readonly AnswerRule[];
  /** The command that shows the defect of a bug fix, and when it is run (R-BUG-1). */
  readonly reproduction?: { readonly command: string; readonly when: RealityPoint };
  /** The quality commands of the project that are run once before its documents are drafted (R-PLAN-2). */
  readonly measures?: readonly ProjectCommand[];
  /** Whether the recommendations of those who draft documents are taken in place of answers (R-ASK-2). */
  readonly assumes?: true;
}

/** The defaults of the protocol; `maxGlobalIterations` depends on the plan (R-START-4). */
export function defaultPolicy(totalTasks: number): Policy {
  return {
    bookkeeping: 'coordinator',
    maxTaskIterations: 5,
    maxGlobalIterations: Math.max(100, 3 * totalTasks),
    stallAfter: 3,
    recoveryMode: false,
    maxFixTasksPerOriginal: 3,
    maxFixTaskDepth: 3,
    maxModifications: 3,
    review: 'auto',
    maxReviewRounds: 3,
    scope: 'warn',
    keepFailedChanges: false,
    jobs: 1,
    isolation: 'worktree',
    parallelOverlap: 'separate',
    commitSpec: true,
  };
}
