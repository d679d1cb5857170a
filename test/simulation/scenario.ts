import type { Role } from '../../src/core/agent/role.ts';
import type { ForeignDialect } from '../../src/core/plan/data/dialect.ts';
import type { ListedStep } from '../../src/core/planning/step-plan.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { RefusedBy } from '../../src/ports/git.ts';
import type { DeedName } from './deeds.ts';
import type { HostedScript } from './hosted/script.ts';
import type { SessionScript } from './session.ts';

/** What the user had uncommitted before the run: never to be touched (R-START-2). */
export interface DirtyFile {
  readonly path: string;
  /** `undefined` for a file that was removed. */
  readonly text: string | undefined;
  readonly staged: boolean;
}

/** A plan, a world and its people: all that decides a run but its accidents. */
export interface Scenario {
  readonly name: string;
  readonly plan: string;
  /** How the plan is written, if not in specloop's own way (R-DIA-1). */
  readonly dialect?: ForeignDialect;
  /** The text of the state file before the run, if there is one. */
  readonly stateText?: string;
  readonly policy: Partial<Policy>;
  readonly dirty: readonly DirtyFile[];
  /** Whether the run begins on the default branch, and so has to make one of its own. */
  readonly onDefaultBranch?: boolean;
  /** Whether the spec is committed before the run. */
  readonly specCommitted: boolean;
  /** What the agent in this role does at its nth answer on this task, from 1. */
  readonly deed: (role: Role, task: string, nth: number) => DeedName;
  /** How often a person starts again after a run that stopped for good. */
  readonly reruns: number;
  /** Whether every task can still be done when a few attempts are lost: then a crash must change nothing (I6). */
  readonly isAmple: boolean;
  /** Whether no agent touches plan, state file or branch: then no start may need a person. */
  readonly isHonest?: true;
  readonly maxTimeMs?: number;
  /** Whether each start only goes on until an agent is needed, which then works without a coordinator. */
  readonly isDriven?: boolean;
  /** Who makes each start, and what becomes of the answers of agents, where sessions drive the run. */
  readonly session?: SessionScript;
  /** The documents that the run drafts, in place of running the plan. */
  readonly drafts?: readonly ListedStep[];
  /** Whether a draft that cannot be made takes away what the run made. */
  readonly isUndone?: true;
  /** Whether the user has no commit hooks. */
  readonly isWithoutHooks?: true;
  /**
   * What refuses each commit from the nth on, over a whole life, until a person has put it right; a hook that looks at the
   * work does so once.
   */
  readonly refusal?: { readonly from: number; readonly by: RefusedBy };
  /** Where the repository is hosted; the run goes on to a green pull request there, if its policy says so. */
  readonly hosted?: HostedScript;
  /** How long the nth agent of a life takes for each of its steps; a third of a minute unless it says so. */
  readonly stepMs?: (call: number) => number;
}
