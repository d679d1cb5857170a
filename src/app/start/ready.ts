import type { Plan } from '../../core/plan/data/task.ts';
import type { PlanningFacts } from '../../core/planning/planning-facts.ts';
import type { ProjectCommand } from '../../core/planning/project-commands.ts';
import type { Policy } from '../../core/policy.ts';
import type { StatedLimits } from '../../core/run/start/choose-policy.ts';
import type { AfterKilledRun } from '../../engine/watch/after-killed-run.ts';
import type { Drafting } from '../../ports/drafting.ts';
import type { Git } from '../../ports/git.ts';
import type { RunArchive, SpecFiles } from '../../ports/store.ts';
import type { ByRole, FoundAgent } from '../agents/agents.ts';
import type { TestCommand } from '../shell/test-command.ts';
import type { HostingPlace } from './hosting.ts';
import type { StartOrder } from './order.ts';
import type { Site } from './site.ts';

/** What the checks before a start found out about the branch, the user's changes and the settings. */
export interface FactsAtStart {
  readonly branch: string;
  readonly newBranch: string | undefined;
  readonly foreign: readonly string[];
  readonly testCommand: TestCommand | undefined;
  /** Whether the run that is resumed goes on to a pull request. */
  readonly hadPullRequest: boolean;
  readonly policyFor: (plan: Plan, stated: StatedLimits) => Policy;
}

/** Everything a run is made of, checked and locked. */
export interface Ready extends Site {
  readonly order: StartOrder;
  /** Where the pull request will be; absent if none is wanted, or there is no forge. */
  readonly hosting: HostingPlace | undefined;
  /** What killed runs had left, and was put right before anything was looked at. */
  readonly killed: AfterKilledRun | undefined;
  readonly files: SpecFiles;
  /** As it was before the locks were taken. */
  readonly plan: Plan;
  readonly git: Git;
  readonly archive: RunArchive;
  /** Absent where the work of agents is handed over. */
  readonly agents: ByRole<FoundAgent> | undefined;
  /** Those that go on when one of these is at a usage limit. */
  readonly fallback: readonly FoundAgent[];
  readonly facts: FactsAtStart;
  /** Set for a run that drafts the documents of the spec: then the plan is the list of its steps (R-PLAN-2). */
  readonly drafts?: Drafts;
}

/** What a run of planning is started with. */
export interface Drafts {
  readonly planning: PlanningFacts;
  readonly drafting: Drafting;
  /** The command that has to show the defect first (R-BUG-1). */
  readonly reproduction?: string | undefined;
  /** The quality commands that are run once before research (R-PLAN-2). */
  readonly measures: readonly ProjectCommand[];
}
