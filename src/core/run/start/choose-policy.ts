import { defaultPolicy, type Policy } from '../../policy.ts';

/** The limits that a state file may hold, set by a person, the plugin or an older tool (R-START-4). */
export type StatedLimits = Partial<
  Pick<
    Policy,
    | 'maxTaskIterations'
    | 'maxGlobalIterations'
    | 'recoveryMode'
    | 'maxFixTasksPerOriginal'
    | 'maxFixTaskDepth'
    | 'commitSpec'
  >
>;

export interface PolicySources {
  /** What flags and the environment of this start say. */
  readonly told: Partial<Policy>;
  /** What the state file says. */
  readonly stated: StatedLimits;
  /** What the configuration and its defaults say. */
  readonly configured: Partial<Policy>;
  /** The policy of the run before; `resumes` tells whether it is taken up. */
  readonly previous?: { readonly policy: Policy; readonly resumes: boolean };
  readonly totalTasks: number;
}

/**
 * The policy of a start: what is told now, then what a person wrote into the state file, then the run that is
 * resumed, then the configuration (R-START-4, R-FILE-7). What the last run wrote there itself is no one's wish.
 */
export function choosePolicy({ told, stated, configured, previous, totalTasks }: PolicySources): Policy {
  const wished = Object.fromEntries(
    Object.entries(stated).filter(
      ([key, value]) => value !== undefined && value !== previous?.policy[key as keyof Policy],
    ),
  );
  const base = previous?.resumes ? previous.policy : { ...defaultPolicy(totalTasks), ...configured };
  return { ...base, ...wished, ...told };
}
