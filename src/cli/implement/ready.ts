import type { Role } from '../../core/agent/role.ts';
import type { Plan } from '../../core/plan/task.ts';
import type { Policy } from '../../core/policy.ts';
import type { StatedLimits } from '../../core/run/choose-policy.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Git } from '../../ports/git.ts';
import type { RunArchive, SpecFiles } from '../../ports/store.ts';
import type { SpecPlace } from '../place.ts';
import type { FoundAgent } from './agents.ts';
import type { ImplementInput } from './input.ts';
import type { TestCommand } from './test-command.ts';

/** What the checks before a run found out. */
export interface Before {
  readonly branch: string;
  readonly newBranch: string | undefined;
  readonly foreign: readonly string[];
  readonly testCommand: TestCommand | undefined;
  readonly policyFor: (totalTasks: number, stated: StatedLimits) => Policy;
}

/** Everything a run is made of, checked and locked. */
export interface Ready {
  readonly input: ImplementInput;
  readonly place: SpecPlace;
  readonly files: SpecFiles;
  /** As it was before the locks were taken. */
  readonly plan: Plan;
  readonly git: Git;
  readonly archive: RunArchive;
  readonly clock: Clock;
  readonly agents: Readonly<Record<Role, FoundAgent>>;
  readonly before: Before;
  readonly newId: () => string;
}
