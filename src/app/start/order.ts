import type { Sources } from '../../config/load.ts';
import type { AnswerRule } from '../../core/answer/answered.ts';
import type { Plan } from '../../core/plan/data/task.ts';
import type { Policy } from '../../core/policy.ts';
import type { Envelope } from '../../core/run/data/event.ts';
import type { RunState } from '../../core/run/data/state.ts';
import type { StopSignal } from '../../core/run/data/stop-signal.ts';
import type { Surface } from '../../surfaces/surface.ts';
import type { SpecPlace } from '../place.ts';

/** How a run is to be started. */
export interface StartOptions {
  /** Take the run over from a driver that works on it: its work is kept under a ref, and its attempts do not count (R-SES-4). */
  readonly takeOver?: boolean;
  /** Trust the commands of the plan and the agent in this workspace, now and later (R-SEC-1). */
  readonly trust?: boolean;
  /** Run in a separate worktree next to the repository, on its own branch; it is made if it is missing. */
  readonly worktree?: boolean;
  /** Go on to a pull request after the last task, or not; absent: if the plan has a section for it (R-PR-8). */
  readonly pullRequest?: boolean | undefined;
  /** Answers to questions that agents may ask (R-AGT-6). */
  readonly answers?: readonly AnswerRule[];
  /** The documents were made without a person, as was asked for: their approvals are not looked at unless they are required (R-PLAN-3). */
  readonly afterQuick?: boolean;
  /** Rebuild the state file from `tasks.md`, and keep the old one as a backup (R-START-5). */
  readonly resetState?: boolean;
}

/** A start of a run, as it was asked for. */
export interface StartOrder extends StartOptions {
  /** The spec that was named; absent for the active one. */
  readonly spec?: string | undefined;
  /** Take the recommendations of authors of documents in place of a person's answers (R-ASK-2). */
  readonly assumes?: boolean;
  /** Settings that win over all others, as on the command line. */
  readonly settings?: Sources['flags'] | undefined;
  /** Begin with the pull request; all tasks of agents have to be done. */
  readonly onlyPullRequest?: boolean;
  /** Only find out what would be run; changes nothing (R-START-8). */
  readonly dryRun?: boolean;
  /** Names the driver that the work of agents is handed over to; absent to run them here. */
  readonly driver?: string | undefined;
  /** With a driver, whether attempts begin; by default they do. */
  readonly begins?: boolean;
  /** Makes what shows the run, once it is known which one it is. */
  readonly surfaces: (scene: StartScene) => Promise<readonly Surface[]>;
  readonly onStop: OnStop;
}

/** Connects whatever may ask a run to stop; `endAll` ends all it started at once. */
export type OnStop = (stop: (signal: StopSignal) => void, endAll: () => Promise<void>) => void;

/** What is to be shown. */
export interface StartScene {
  readonly place: SpecPlace;
  /** It is not the tree that the command was given in. */
  readonly isElsewhere: boolean;
  /** The journal of the run that is taken up; empty for a new one. */
  readonly earlier: readonly Envelope[];
}

/** What would be run. */
export interface Preview {
  readonly place: SpecPlace;
  readonly plan: Plan;
  readonly policy: Policy;
  /** Names of the agents, for people. */
  readonly agents: string;
}

/** What came of a start. */
export type StartOutcome =
  /** The run ended, or, with a driver, nothing can be done until work that was handed over is reported. */
  | { readonly is: 'run'; readonly state: RunState }
  /** A signal came before the run began. */
  | { readonly is: 'stopped'; readonly signal: StopSignal }
  | { readonly is: 'preview'; readonly preview: Preview };
