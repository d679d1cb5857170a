import type { Spent } from '../../agent/agent-end.ts';
import type { Answered } from '../../answer/answered.ts';
import type { Question } from '../../answer/questions.ts';
import { isLeftOut } from '../../plan/data/left-out.ts';
import type { PlannedTask } from '../../plan/data/planned-task.ts';
import type { PlanningFacts } from '../../planning/planning-facts.ts';
import type { MeasuredCommand } from '../../planning/project-commands.ts';
import type { RealityCheck } from '../../planning/reality-check.ts';
import type { Policy } from '../../policy.ts';
import type { PullRequestState } from '../../pull-request/state.ts';
import type { Failure } from '../../verify/failure.ts';
import type { Verdict } from '../../verify/judge.ts';
import type { Answer } from './answer.ts';
import type { Carried } from './carried.ts';
import type { KnownDraft } from './draft.ts';
import type { HandOver } from './hand-over.ts';
import type { Outcome } from './outcome.ts';
import type { Pause } from './pause.ts';
import { type MetLimit, noTrouble, type ServiceTrouble } from './service-trouble.ts';
import type { StopSignal } from './stop-signal.ts';

/** A run, as the fold of its events. Everything `next` decides from. */
export interface RunState {
  readonly phase: Phase;
  readonly policy: Policy;
  /** The plan in its order; a recorded task is `checked`. */
  readonly tasks: readonly PlannedTask[];
  /** Where the tasks are that were begun and are not recorded. By task key. */
  readonly progress: ReadonlyMap<string, TaskProgress>;
  /** Branch of the run and the newest commit on it that is ours or was there when we came. Empty until prepared. */
  readonly branch: string;
  readonly tip: string;
  /** Uncommitted paths of the user, never touched (R-START-2). */
  readonly foreign: readonly string[];
  /** The commands of the plan at the last start, when trust in them was asked for (R-SEC-1). */
  readonly knownCommands: ReadonlySet<string>;
  /** Attempts of all tasks so far (R-RETRY-2). */
  readonly globalIteration: number;
  readonly spent: Spent;
  readonly carried: Carried;
  /** Who drives the run, or drove it last, as `drivingOf` reads it; absent for a process that runs the agents itself (R-SES-4). */
  readonly driver?: string;
  /** Sub-tasks of split tasks: key of the sub-task to key of the task that was split (R-MOD-3). */
  readonly splits: ReadonlyMap<string, string>;
  /** How reviews ended in this run, other than passed. By task key. */
  readonly reviews: ReadonlyMap<string, { readonly status: ReviewStatus; readonly findings: readonly string[] }>;
  /** What recorded tasks lack in their proof. By task key. */
  readonly remarks: ReadonlyMap<string, readonly Remark[]>;
  /** What agents noted by a tool, failed attempts included, and is not in the progress file yet (R-AGT-9). By task key. */
  readonly learned: ReadonlyMap<string, readonly string[]>;
  /** The refs that keep the work of failed attempts, and the commit each was made for (R-RETRY-4). */
  readonly kept: ReadonlyMap<string, string>;
  readonly tests: TestProgress;
  /** What a planning run was started with; absent for a run of a plan (R-PLAN-2). */
  readonly planning?: PlanningFacts;
  /** The drafts of steps, as they were checked or recorded last. By task key. */
  readonly drafts: ReadonlyMap<string, KnownDraft>;
  /** What the run made is being taken away, or is gone (R-PLAN-3). In CAPITALS: an effect is under way. */
  readonly rollback?: 'ROLLING-BACK' | 'done';
  /** What the command did that shows the defect of a bug fix (R-BUG-1). In CAPITALS: it is running. */
  readonly reality?: 'RUNNING' | RealityCheck;
  /** What the quality commands did before the first document (R-PLAN-2). In CAPITALS: they are running. */
  readonly measured?: 'RUNNING' | readonly MeasuredCommand[];
  /** What became of the questions of steps that are recorded, oldest first (R-ASK-3). */
  readonly decided: readonly Answered[];
  /** Key of the step whose draft waits for a person's approval (R-GATE-1). */
  readonly awaitsApproval?: string;
  /** The batch that is under way (R-PAR-1). */
  readonly batch?: Batch;
  /** Tasks that run by themselves although they are marked `[P]`: their merge conflicted, or their batch was ended. By key. */
  readonly alone: ReadonlySet<string>;
  /**
   * By the task whose review makes up for it, members of a batch that were recorded before their due review: the one it was
   * to take place with left the batch (R-PAR-7).
   */
  readonly owedReviews: ReadonlyMap<string, readonly string[]>;
  /** Attempts in a row that ended at once, with a failure, without an answer and without work; whether the next one, of whichever task, has to wait. */
  readonly atOnce: { readonly inARow: number; readonly isDue: boolean };
  /** Verify commands of other tasks that a task broke once and has to keep (R-PAR-3). By key of the task that broke them. */
  readonly alsoVerify: ReadonlyMap<string, readonly string[]>;
  /** Until when agents are at a usage limit, in milliseconds since 1970, by name; only where there are several for a role. */
  readonly limitedUntilMs: ReadonlyMap<string, number>;
  /** The latest instant that an event told, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The way of the pull request, from its first step on (R-PR-2). */
  readonly pullRequest?: PullRequestState;
  /** A person or the system wants the run to stop. */
  readonly stopping?: StopSignal;
  /** A commit waits for a person: nothing begins, and the next start makes it (R-ADV-5). */
  readonly gate?: { readonly reason: string };
  /** The time limit of the run was reached. */
  readonly outOfTime?: { readonly limitMs: number };
  /** How it ended, once it is over. */
  readonly ended?: { readonly result: Outcome | 'interrupted' | 'fault'; readonly reason: string };
}

/** A parallel group in execution: each member has one attempt that is not interrupted, then the batch is closed (R-PAR-5). */
export interface Batch {
  /** In CAPITALS: an effect is under way. */
  readonly at: 'OPENING' | 'open' | 'CLOSING';
  /** Keys, in plan order. */
  readonly members: readonly string[];
  /** The commit every member begins at. */
  readonly base: string;
  /** Members whose attempt in this batch did not come to a record. */
  readonly out: readonly string[];
  /** The records of members, in the order of the branch. */
  readonly commits: readonly { readonly task: string; readonly commit: string }[];
  /** Whether no further member begins: one of them asked to change the plan (R-MOD-5). */
  readonly isEnding: boolean;
}

/** What is known of the project's tests (R-START-7). */
export interface TestProgress {
  /** The tests that failed before the first task; absent until they were run. */
  readonly baseline?: readonly string[];
  /** Key of the newest recorded task that the tests did not see yet. */
  readonly unseen?: string;
  readonly isRunning: boolean;
  /** Why the run stops: tests that failed although they did not before. */
  readonly broken?: string;
}

/** In CAPITALS: an effect is under way, and only its event moves the run on. */
export type Phase = 'starting' | 'PREPARING' | 'executing' | 'FINISHING' | 'over';

/**
 * Where one task is. In CAPITALS: an effect is under way.
 *
 *     waiting ─▶ WORKING ─▶ returned ─▶ CHECKING ─▶ accepted ─▶ COMMITTING ─▶ (recorded: checked in the plan)
 *
 *     WORKING, CHECKING, COMMITTING ─▶ failed ─▶ SETTING-ASIDE ─▶ waiting      while attempts are left
 *                                                              ─▶ wants-fix    in recovery mode
 *                                                              ─▶ gave-up      after the last
 *     wants-fix ─▶ PLANNING-FIX ─▶ blocked ─▶ waiting                          once the fix is recorded
 *     waiting or accepted, with a pause ─▶ PAUSED ─▶ the same without it       after a usage limit
 *     WORKING ─▶ failed ─▶ SETTING-ASIDE ─▶ asking ─▶ waiting                  a question, once a person has answered it
 *     WORKING ─▶ requested ─▶ MODIFYING ─▶ returned or failed                  a modification request
 *     accepted ─▶ REVIEWING ─▶ accepted                                        when a review is due
 *                           ─▶ faulted ─▶ HOLDING ─▶ wants-fix ─▶ … ─▶ blocked ─▶ returned
 *                           ─▶ gave-up                                         strict: a person decides
 *     accepted ─▶ HOLDING ─▶ awaiting ─▶ returned or failed                    only a check of the pull request can prove it
 */
export type TaskProgress = Begun &
  /** `hasWork`: the tree holds what the attempt before did, with which the next one goes on (R-AGT-6). */
  (
    | { readonly at: 'waiting'; readonly pause?: Pause; readonly hasWork?: true }
    | { readonly at: 'PAUSED'; readonly pause: Pause; readonly before: Resting }
    | ({ readonly at: 'WORKING' } & MayBeElsewhere)
    | ({ readonly at: 'requested' | 'MODIFYING' | 'returned' | 'CHECKING' } & WithAnswer)
    | ({ readonly at: 'accepted' | 'COMMITTING' } & WithAnswer & Passed)
    | ({ readonly at: 'REVIEWING' } & WithAnswer & Passed & MayBeElsewhere)
    | ({ readonly at: 'faulted' | 'HOLDING' } & WithAnswer & Faulted)
    /** Its work is committed, and has to be pushed, before its check can prove it. */
    | ({ readonly at: 'awaiting' } & WithAnswer)
    | ({ readonly at: 'failed' | 'SETTING-ASIDE' } & Rejected)
    | ({ readonly at: 'wants-fix' | 'PLANNING-FIX' } & FailureToFix)
    | { readonly at: 'blocked'; readonly by: string; readonly answer?: Answer }
    /** A person has to answer before the next attempt begins; `kept` names the work of the one that asked. */
    | {
        readonly at: 'asking';
        readonly question: string;
        /** Those that wait for an answer, where a list was asked (R-ASK-1). */
        readonly questions?: readonly Question[];
        readonly kept?: string;
      }
    | { readonly at: 'gave-up'; readonly result: 'stuck' | 'waiting' | 'limit'; readonly reason: string }
  );

/** What a pause interrupts. */
type Resting = Begun &
  ({ readonly at: 'waiting'; readonly hasWork?: true } | ({ readonly at: 'accepted' } & WithAnswer & Passed));

/** A task's progress at one of these stages. */
export type AtStage<Stage extends TaskProgress['at'], Progress = TaskProgress> = Progress extends {
  readonly at: infer At;
}
  ? [Stage & At] extends [never]
    ? never
    : Progress & { readonly at: Stage & At }
  : never;

/** What every stage of a task has in common. */
export interface Begun {
  /** Number of the attempt that is, or will be next, at work; from 1, never used twice but after a usage limit. */
  readonly attempt: number;
  /** The commit the attempt began at. */
  readonly base: string;
  /** The commit the first attempt began at: what a reviewer compares with. */
  readonly start: string;
  /** Failed attempts of this run that count (R-RETRY-1), oldest first. */
  readonly failures: readonly FailedAttempt[];
  /** Trouble with the agent's service since it last worked. */
  readonly service: ServiceTrouble;
  readonly review: ReviewProgress;
  /** The commit of work that a reviewer sent back: it is in history, but not ticked. */
  readonly held?: string;
  /** The check of the pull request that proves the work, as no command does; and whether it did (R-PR-2). */
  readonly awaits?: { readonly check: string; readonly isGreen?: true };
  /** What the next attempt is told although it does not count: a merge conflict. */
  readonly note?: Failure;
  /** What a person answered to questions of this task, oldest first: every later attempt is told (R-AGT-6). */
  readonly answered?: readonly Answered[];
  /** How often a list of questions was asked (R-ASK-1). */
  readonly questionRounds?: number;
  /** The longest prompt of the next attempt, in bytes: half of one that was too long for the model (R-AGT-4). */
  readonly promptBytesMax?: number;
  /** Something changed the work after it was proved, and it is proved once more (R-VER-13). */
  readonly movedOnce?: true;
  /** What was noticed of that which judges the work while its agent was at work: worth a look (R-VER-14). */
  readonly noticed?: readonly string[];
  /** The attempt asked to split the task, which was granted: it is recorded as split, not as verified (R-MOD-3). */
  readonly split?: true;
}

/** How far the review of a task has come (R-VER-7). */
export interface ReviewProgress {
  /** Set once the first round began: it is due from then on, although it might be cut off, and the plan change meanwhile. */
  readonly begun?: true;
  /** Rounds that ended with a verdict. */
  readonly rounds: number;
  /** Answers without a verdict in this round. */
  readonly unanswered: number;
  /** Once it is over. */
  readonly status?: ReviewStatus;
  /** What the reviewers found so far, newest round last. */
  readonly findings: readonly string[];
  /** What the reviewer that let it pass says of what was not looked at (R-VER-11). */
  readonly doubts?: readonly string[];
  /** What they found in the spec itself. */
  readonly suggestions: readonly string[];
}

export type ReviewStatus = 'passed' | 'accepted with findings' | 'unreviewed';

/** What a task was recorded with although its proof lacks something; as visible as how its review ended (R-VER-11). */
export interface Remark {
  readonly word: 'in doubt' | 'unchanged' | 'checked by no command' | 'ticked by hand';
  /** What it rests on, a line each; may be empty. */
  readonly because: readonly string[];
}

const noReview: ReviewProgress = { rounds: 0, unanswered: 0, findings: [], suggestions: [] };

/**
 * Whose doing a failure is. `task`: it counts as an attempt. `limit`: the run waits and does not count it (R-DEL-7).
 * `service`: the agent's service is overloaded or out of reach; the run tries again soon, a few times (R-AGT-4). `person`: a
 * person has to answer first (R-AGT-6). `budget`: the agent stopped itself at what was left to spend.
 * `merge`: it was overtaken by another member of its batch. `stop`: the run was stopped. `plan`: the attempt asked for a task before it, which was granted.
 * `setup`: no attempt can succeed, as without authentication; the run stops at once.
 */
export type Blame = 'task' | 'limit' | 'service' | 'person' | 'budget' | 'merge' | 'stop' | 'plan' | 'setup';

interface Rejected {
  readonly failure: Failure;
  readonly blame: Blame;
  /** The coordinator ended while the attempt was at work: it came to no end of its own. */
  readonly cutOff?: true;
  /** The usage limit that was met, if that is why. */
  readonly limit?: MetLimit;
  /** What a person is asked, if that is why. */
  readonly question?: string;
  /** The same as a list (R-ASK-1). */
  readonly questions?: readonly Question[];
  /** The agent ended at once, without an answer (R-AGT-4). */
  readonly atOnce?: true;
}

interface MayBeElsewhere {
  /** Set if the agent is not run by the process that started the effect. */
  readonly handOver?: HandOver;
}

interface WithAnswer {
  readonly answer: Answer;
}

interface Passed {
  readonly verdict: Verdict;
  /** A usage limit of the reviewer has to end first. */
  readonly pause?: Pause;
}

interface Faulted {
  readonly failure: Failure;
  /** Why the run stops once the work is held, instead of repairing it. */
  readonly stop?: string;
}

interface FailureToFix {
  /** What the fix has to repair. */
  readonly failure: Failure;
  /** Id of the fix task: chosen once, so that planning it twice makes one task. */
  readonly fix: string;
  /** The claim that is checked again after the fix; without it the task is tried again. */
  readonly answer?: Answer;
}

/** A failure and the work it left: equal `treeId` means equal work, absent means none (R-RETRY-3). */
export interface FailedAttempt {
  readonly attempt: number;
  readonly failure: Failure;
  readonly treeId?: string;
  readonly kept?: string;
}

export function isUnderWay(progress: TaskProgress): boolean {
  return progress.at === progress.at.toUpperCase();
}

/** Position of the first task that is not recorded; the number of tasks if all are. */
export function currentIndex(state: RunState): number {
  const index = state.tasks.findIndex((task) => !task.checked && !isLeftOut(task, state.policy));
  return index === -1 ? state.tasks.length : index;
}

export function taskOf(state: RunState, key: string): PlannedTask {
  const task = state.tasks.find((candidate) => candidate.key === key);
  if (task === undefined) throw new Error(`No task ${key} in the plan.`);
  return withKnownFix(state, task);
}

/**
 * In plans of other tools a line that says *Fixes* makes no fix task, which would be checked less: only one that this run, or
 * the one before, wrote is one (R-DIA-6, R-VER-8).
 */
function withKnownFix({ carried }: RunState, task: PlannedTask): PlannedTask {
  const { fixes, ...rest } = task;
  const isClaimed =
    task.stretch !== undefined && fixes !== undefined && !carried.fixes[fixes]?.fixTaskIds.includes(task.id);
  return isClaimed ? rest : task;
}

export function progressOf(state: RunState, key: string): TaskProgress {
  return (
    state.progress.get(key) ?? {
      at: 'waiting',
      attempt: 1,
      base: state.tip,
      start: state.tip,
      failures: [],
      service: noTrouble,
      review: noReview,
    }
  );
}
